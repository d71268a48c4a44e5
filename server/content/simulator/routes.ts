import {
  addLinkCase,
  deleteCase,
  listCases,
  listLinkCases,
  simulateLink,
  simulateLinks,
  simulateNewLink,
  updateCase,
} from '../../contract/simulator.ts';
import { listedMember, listPage, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { LinkReferences } from '../links/references.ts';
import type { CaseResult, Simulation } from './outcomes.ts';
import { presentAnswer, presentCase, presentSimulation } from './presenter.ts';
import type { SimulatorService } from './service.ts';

interface Options {
  simulator: SimulatorService;
  references: Pick<LinkReferences, 'domainOf'>;
  baseUrl: () => string;
}

/** Simulated visits in one turn of the event loop: a link may have a hundred rules of twenty conditions. */
const visitsAtOnce = 1;

/** The endpoints of the simulator and its saved cases (decision 0022). */
export function simulatorRoutes({ simulator, references, baseUrl }: Options): Route[] {
  return [
    route(simulateLink, async ({ caller, id, body }) => {
      const { change, ...visitor } = body;
      const { simulation, cases } = await simulator.simulate(id, caller, visitor, change);
      const data = presentSimulation(simulation, caller.user.timezone);
      if (!cases) return { data };
      const { total, changes } = cases;
      const message = `This edit changes ${changes.length} of ${total} saved cases.`;
      return { message, data: { ...data, cases: { total, changed: changes.length, changes } } };
    }),
    route(simulateNewLink, ({ caller, body }) => {
      const { link, ...visitor } = body;
      const simulation = simulator.simulateNew(caller, visitor, link);
      return { data: presentSimulation(simulation, caller.user.timezone) };
    }),
    route(simulateLinks, async ({ caller, query, body }) => {
      const { limit, page, domain, ...filter } = query;
      const domainId = domain === undefined ? undefined : (references.domainOf(domain, caller.user.id) ?? 0);
      const found = await simulator.simulateAll(
        caller,
        body,
        { ...filter, domain: domainId, member: listedMember(caller, filter.member) ?? undefined },
        { limit, offset: offsetOf(query) },
      );
      const present = (simulate: () => Simulation) => {
        const simulation = simulate();
        const { id, alias, title } = simulation.row;
        const answer = presentAnswer(simulation, caller.user.timezone);
        return { id, alias, shorturl: shortUrl(simulation.row, baseUrl()), title, ...answer };
      };
      return pageReply('urls', found, { limit, page }, present, visitsAtOnce);
    }),
    route(listLinkCases, ({ caller, id, query }) => {
      const page = simulator.listOfLink(id, caller, { limit: query.limit, offset: offsetOf(query) });
      const present = (tried: () => CaseResult) => presentCase(tried(), caller.user.timezone, baseUrl());
      return pageReply('cases', page, query, present, visitsAtOnce);
    }),
    route(listCases, async ({ caller, query }) => {
      const page = await simulator.list(caller, listPage(caller, query));
      const present = (tried: () => CaseResult) => presentCase(tried(), caller.user.timezone, baseUrl());
      return pageReply('cases', page, query, present, visitsAtOnce);
    }),
    route(addLinkCase, ({ caller, id, body }) => {
      const made = simulator.add(id, caller, body);
      const data = presentCase(made, caller.user.timezone, baseUrl());
      return { id: data.id, message: 'The case was saved.', data };
    }),
    route(
      updateCase,
      ({ caller, id, body }) => {
        const data = presentCase(simulator.update(id, caller, body), caller.user.timezone, baseUrl());
        return { message: 'The case was updated.', data };
      },
      ({ caller, id }) => presentCase(simulator.get(id, caller), caller.user.timezone, baseUrl()),
    ),
    route(deleteCase, ({ caller, id }) => {
      simulator.remove(id, caller);
      return { message: 'The case was deleted.' };
    }),
  ];
}
