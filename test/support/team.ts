import type { Role } from '../../server/contract/roles.ts';
import type { RawReply, TestApp } from './app.ts';
import { type SecondAccount, secondAccount } from './second-account.ts';

/** A member of a team, with requests in its name. */
export interface TestMember extends SecondAccount {
  inTeam(method: string, path: string, options?: { body?: unknown }): Promise<RawReply>;
}

export interface TestTeam {
  id: number;
  owner: TestMember;
  /** Adds a new member by an invitation. */
  join(username: string, role: Exclude<Role, 'owner'>, ownOnly?: boolean): Promise<TestMember>;
}

/** Requests of a person that name an account. */
export function memberOf(server: TestApp, person: SecondAccount, team: number): TestMember {
  return {
    ...person,
    inTeam: (method, path, options = {}) =>
      server.request(method, path, {
        ...options,
        key: person.key,
        headers: { 'X-Waypost-Account': String(team) },
      }),
  };
}

/** A team created through the API, with a new account of this name as owner. */
export async function newTeam(server: TestApp, ownerName = 'olga'): Promise<TestTeam> {
  const founder = secondAccount(server, ownerName);
  const { id } = (await founder.request('POST', '/api/team/add', { body: { name: `Team of ${ownerName}` } }))
    .body;
  const owner = memberOf(server, founder, id);
  return {
    id,
    owner,
    async join(username, role, ownOnly = false) {
      const person = secondAccount(server, username);
      const invited = await owner.request('POST', `/api/team/${id}/invite`, {
        body: { role, own_only: ownOnly },
      });
      const joined = await person.request('POST', '/api/team/join', { body: { code: invited.body.code } });
      if (joined.status !== 200)
        throw new Error(`${username} could not join: ${JSON.stringify(joined.body)}`);
      return memberOf(server, person, id);
    },
  };
}
