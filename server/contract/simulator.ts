import { z } from 'zod';
import { memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, listOf, paging, timestamp, timestampInput } from './envelope.ts';
import { linkChange, linkFilter, newLink } from './links.ts';
import { condition } from './rules.ts';
import { plainLine } from './sessions.ts';
import { edited, versioned } from './versions.ts';

const word = (max: number) => z.string().max(max, `Use at most ${max} characters.`);

/**
 * A simulated visitor (decision 0022). Omitted or empty values are unknown; `at` defaults to now. `country` is a name
 * or ISO code; without it, `ip` is looked up. `unlocked` means that the link's password was entered; `draw` is the
 * visitor's number from 0 to 99 for percentages and A/B tests.
 */
export const simulatedVisitor = z
  .object({
    country: word(80),
    region: word(100),
    city: word(100),
    device: word(40),
    os: word(60),
    browser: word(60),
    language: word(40),
    at: z.union([timestampInput, z.literal('')]),
    query: z.union([word(2048), z.record(z.string().max(255), word(2048))]),
    referrer: word(2048),
    ip: word(64),
    /** Using an app's built-in browser, such as Instagram's, on a phone. */
    inapp: z.boolean(),
    returning: z.boolean(),
    unlocked: z.boolean(),
    draw: z.number().min(0, 'Send a number from 0 to 99.').lt(100, 'Send a number from 0 to 99.'),
  })
  .partial();
export type SimulatedVisitor = z.output<typeof simulatedVisitor>;

/** The outcome of a visit: a redirect, or a page that says why not. */
export const simulationOutcomes = ['redirect', 'password', 'archived', 'early', 'expired', 'unsafe'] as const;

const outcome = {
  /** The destination; null if a page is shown instead. */
  link: z.string().nullable(),
  /** Index of the rule that determined the destination. */
  rule: z.number().int().nullable(),
  /** The link's type: how its destination is shown. */
  type: z.string(),
  /** HTTP status of the response. */
  status: z.number().int(),
  outcome: z.enum(simulationOutcomes),
};
export const simulationOutcome = z.object(outcome);
export type SimulationOutcome = z.output<typeof simulationOutcome>;

/**
 * What determined the outcome. `link` is the link's own destination, `store` the device's app store, `test` a variant
 * of the A/B test, and `winner` the result of a finished test; `ended` means archived or deleted at that time;
 * `earlyredirect` and `expiredredirect` redirect.
 */
export const simulationReasons = [
  'rule',
  'store',
  'test',
  'winner',
  'link',
  'password',
  'archived',
  'ended',
  'early',
  'earlyredirect',
  'expired',
  'expiredredirect',
  'unsafe',
] as const;
const simulationReason = z.object({
  code: z.enum(simulationReasons),
  /** Number of the link's rules. */
  rules: z.number().int(),
  /** The visitor's number from 0 to 99, if the A/B test decided. */
  draw: z.number().int().nullable(),
  /** Whether the visitor uses an app's built-in browser and is first offered the phone's. */
  inapp: z.boolean(),
});
export type SimulationReason = z.output<typeof simulationReason>;

/**
 * The reason for an outcome: an English sentence, and a code for translations. Older servers send only the sentence,
 * which is also the fallback for codes that the client does not know.
 */
const explained = { why: z.string(), reason: simulationReason.optional().catch(undefined) };

/**
 * The visitor's value that a condition compared; null if none: codes of locations and languages, strings, a list of
 * devices, a time in the account's time zone, the number from 0 to 99, whether they visited today, or for `schedule`
 * the local day (Monday is 1) and hour.
 */
const foundOfVisitor = z
  .union([
    z.string(),
    z.number().int(),
    z.boolean(),
    z.array(z.string()),
    z.object({ day: z.number().int(), time: z.string(), timezone: z.string() }),
  ])
  .nullable();
export type FoundOfVisitor = z.output<typeof foundOfVisitor>;

/** The expected result of a case; omitted fields may have any value. */
export const caseExpectation = z.object({
  link: z.string().max(8192).nullable().optional(),
  rule: z.number().int().min(0).nullable().optional(),
  status: z.number().int().optional(),
});
export type CaseExpectation = z.output<typeof caseExpectation>;

/** How an edit affects a link's cases. `changes` contains those whose expected fields change. */
export const caseChanges = z.object({
  total: z.number().int(),
  changed: z.number().int(),
  changes: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      expected: caseExpectation,
      before: simulationOutcome,
      after: simulationOutcome,
      /** Whether the case passes after the edit. */
      passes: z.boolean(),
    }),
  ),
});
export type CaseChanges = z.output<typeof caseChanges>;

export const simulation = z.object({
  ...outcome,
  ...explained,
  /** All evaluated conditions of all rules, in order. */
  steps: z.array(
    z.object({
      rule: z.number().int(),
      condition,
      matched: z.boolean(),
      why: z.string(),
      found: foundOfVisitor.optional().catch(undefined),
      /**
       * Whether this server cannot determine the value for real visitors: regions and cities require another GeoIP
       * database.
       */
      unknown: z.boolean().optional(),
    }),
  ),
  /** Only with `change`. */
  cases: caseChanges.optional(),
});
export type Simulation = z.output<typeof simulation>;

export const simulateLink = endpoint({
  method: 'POST',
  path: '/api/url/:id/simulate',
  summary:
    'Simulate a visit: which rule of a link matches, and why. With change (a partial link), also which saved cases that edit would change; nothing is stored.',
  scope: 'links',
  reads: true,
  bodyOptional: true,
  body: z.object({ ...simulatedVisitor.shape, change: linkChange.optional() }),
  reply: z.object({ message: z.string().optional(), data: simulation }),
});

export const simulateNewLink = endpoint({
  method: 'POST',
  path: '/api/url/simulate',
  summary: 'Simulate a visit to a link that does not exist yet; nothing is stored.',
  scope: 'links',
  reads: true,
  body: z.object({ ...simulatedVisitor.shape, link: newLink }),
  reply: z.object({ data: simulation }),
});

export const simulateLinks = endpoint({
  method: 'POST',
  path: '/api/urls/simulate',
  summary: 'Simulate one visitor on every link, page by page.',
  scope: 'links',
  reads: true,
  bodyOptional: true,
  query: z.object({ ...paging, ...linkFilter }),
  body: simulatedVisitor,
  reply: listOf(
    'urls',
    z.object({
      id: z.number().int(),
      alias: z.string(),
      shorturl: z.string(),
      title: z.string().nullable(),
      ...outcome,
      ...explained,
    }),
  ),
});

/** A simulated visitor and the expected result, stored with a link; `actual` is the current result. */
export const linkCase = z.object({
  id: z.number().int(),
  urlid: z.number().int(),
  shorturl: z.string(),
  name: z.string(),
  visitor: simulatedVisitor,
  expected: caseExpectation,
  actual: z.object({ ...outcome, ...explained }),
  passes: z.boolean(),
  date: timestamp,
  ...versioned,
});
export type LinkCase = z.output<typeof linkCase>;

const caseName = plainLine(120).pipe(z.string().min(1, 'Enter a name for the case.'));

export const listLinkCases = endpoint({
  method: 'GET',
  path: '/api/url/:id/cases',
  summary: 'List the saved cases of a link, newest first, each with the current result.',
  scope: 'links',
  query: z.object(paging),
  reply: listOf('cases', linkCase),
});

export const listCases = endpoint({
  method: 'GET',
  path: '/api/cases',
  summary: 'List the saved cases of all links, newest first, each with the current result.',
  scope: 'links',
  query: z.object({ ...paging, ...memberFilter }),
  reply: listOf('cases', linkCase),
});

export const addLinkCase = endpoint({
  method: 'POST',
  path: '/api/url/:id/case/add',
  acts: 'edit',
  summary: 'Save a case; expected defaults to the current result.',
  scope: 'links',
  body: z.object({
    name: caseName,
    visitor: simulatedVisitor.default({}),
    expected: caseExpectation.optional(),
  }),
  reply: z.object({ id: z.number().int(), message: z.string(), data: linkCase }),
});

export const updateCase = endpoint({
  method: 'PUT',
  path: '/api/case/:id/update',
  summary: 'Update a case; visitor and expected are replaced as a whole.',
  scope: 'links',
  body: z.object({
    name: caseName.optional(),
    visitor: simulatedVisitor.optional(),
    expected: caseExpectation.optional(),
  }),
  reply: z.object({ ...edited.shape, data: linkCase }),
});

export const deleteCase = endpoint({
  method: 'DELETE',
  path: '/api/case/:id/delete',
  summary: 'Delete a case.',
  scope: 'links',
  reply: acknowledged,
});
