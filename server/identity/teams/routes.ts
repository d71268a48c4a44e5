import {
  addTeam,
  admitToTeam,
  deleteMember,
  deleteTeam,
  deleteTeamInvitation,
  getTeam,
  givenRole,
  inviteMember,
  joinTeam,
  leaveTeam,
  listAllTeams,
  listMembers,
  listTeamInvitations,
  listTeams,
  previewInvitation,
  restoreTeam,
  type Team,
  type TeamInvitation,
  type TeamMember,
  type TeamOfInstance,
  transferTeam,
  updateMember,
  updateTeam,
} from '../../contract/teams.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { LinkOrigin } from '../../platform/http/link-origin.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { languagesOf } from '../../platform/http/reader-languages.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { parseTimestamp, presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { trashMs } from '../../platform/trash/duration.ts';
import type { TeamInvitationRow } from './invitation-queries.ts';
import type { InvitationPreview, TeamInvitations } from './invitations.ts';
import type { MemberRow, OwnedTeamRow, TeamRow, TrashedTeamRow } from './queries.ts';
import type { TeamService } from './service.ts';

interface Options {
  teams: TeamService;
  invitations: TeamInvitations;
  linkOrigin: LinkOrigin;
  baseUrl: () => string;
}

/** The endpoints of teams (decision 0066). */
export function teamRoutes({ teams, invitations, linkOrigin, baseUrl }: Options): Route[] {
  return [
    route(listTeams, ({ caller, query }) => {
      const { timezone } = caller.user;
      const wanted = { limit: query.limit, offset: offsetOf(query) };
      if (query.deleted !== '1') {
        return pageReply('teams', teams.list(caller, wanted), query, (row) => presentTeam(row, timezone));
      }
      const deleted = teams.listDeleted(caller, wanted);
      return pageReply('teams', deleted, query, (row) => presentDeleted(row, timezone));
    }),
    route(listAllTeams, async ({ caller, query }) => {
      const page = await teams.listAll(caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('teams', page, query, (row) => presentForInstance(row, caller.user.timezone));
    }),
    route(addTeam, (call) => ({ id: teams.add(call.caller, call.body.name, actorOf(call)) })),
    route(getTeam, ({ caller, id }) => ({ data: presentTeam(teams.get(id, caller), caller.user.timezone) })),
    route(
      updateTeam,
      (call) => {
        teams.rename(call.id, call.caller, call.body.name, actorOf(call));
        return { message: 'The team was updated.' };
      },
      ({ caller, id }) => presentTeam(teams.get(id, caller), caller.user.timezone),
      ({ caller, ids }) => teams.getFor(ids.id, caller, 'manage'),
    ),
    route(
      deleteTeam,
      async (call) => {
        await teams.remove(call.id, call.caller, call.body, actorOf(call));
        return { message: 'The team was deleted. You can restore it for 30 days.' };
      },
      undefined,
      ({ caller, ids }) => teams.getFor(ids.id, caller, 'own'),
    ),
    route(restoreTeam, (call) => {
      teams.restore(call.id, call.caller, actorOf(call));
      return { message: 'The team was restored.' };
    }),
    route(
      listMembers,
      ({ caller, id, query }) => {
        const page = teams.members(id, caller, { limit: query.limit, offset: offsetOf(query) });
        return pageReply('members', page, query, (row) => presentMember(row, caller.user.timezone));
      },
      undefined,
      ({ caller, ids }) => teams.get(ids.id, caller),
    ),
    route(
      updateMember,
      (call) => {
        const { id, ids, caller, body } = call;
        // An admin of a team may do more, and for longer, than a limited key.
        if (body.role === 'admin') checkFull(caller);
        teams.updateMember(id, ids.userid, caller, body, actorOf(call));
        return { message: 'The member was updated.' };
      },
      ({ caller, id, ids }) => presentMember(teams.member(id, ids.userid, caller), caller.user.timezone),
      ({ caller, ids }) => teams.memberFor(ids.id, ids.userid, caller),
    ),
    route(deleteMember, (call) => {
      teams.removeMember(call.id, call.ids.userid, call.caller, actorOf(call));
      return { message: 'The member was removed. What they created stays with the team.' };
    }),
    route(leaveTeam, (call) => {
      teams.leave(call.id, call.caller, actorOf(call));
      return { message: 'You left the team.' };
    }),
    route(
      transferTeam,
      async (call) => {
        await teams.transfer(call.id, call.body.userid, call.caller, call.body, actorOf(call));
        return { message: 'The team was transferred. You are an admin of it now.' };
      },
      undefined,
      ({ caller, ids }) => teams.getFor(ids.id, caller, 'own'),
    ),
    route(
      inviteMember,
      (call) => {
        const { id, caller, body } = call;
        if (body.role === 'admin') checkFull(caller);
        const expiresAt =
          body.expires === undefined
            ? undefined
            : parseTimestamp(body.expires, caller.user.timezone, 'end', 'expires');
        const wish = {
          role: body.role,
          ownOnly: body.own_only ?? false,
          expiresAt,
          uses: body.uses,
          email: body.email,
        };
        // In the fragment, so that it gets into no log and no Referer.
        const linkAt = (origin: string, code: string) => `${origin}/admin/join#${code}`;
        const { timezone } = caller.person.user;
        const letter = (code: string, end: number) => ({
          url: linkAt(baseUrl(), code),
          until: { at: end, timezone },
          languages: languagesOf(call),
        });
        const made = invitations.invite(id, caller, wish, letter, actorOf(call));
        return { ...made, link: linkAt(linkOrigin(call.request), made.code) };
      },
      undefined,
      ({ caller, ids }) => teams.getFor(ids.id, caller, 'manage'),
    ),
    route(
      listTeamInvitations,
      ({ caller, id, query }) => {
        const page = invitations.list(id, caller, { limit: query.limit, offset: offsetOf(query) });
        return pageReply('invites', page, query, (row) => presentInvitation(row, caller.user.timezone));
      },
      undefined,
      ({ caller, ids }) => teams.getFor(ids.id, caller, 'manage'),
    ),
    route(deleteTeamInvitation, (call) => {
      invitations.remove(call.ids.inviteid, call.id, call.caller, actorOf(call));
      return { message: 'The invitation was withdrawn.' };
    }),
    route(previewInvitation, ({ asking, body }) => {
      const person = asking?.key.kind === 'session' ? asking.person.user : undefined;
      const found = invitations.preview(body.code, person);
      return { data: presentPreview(found, person?.timezone ?? 'UTC') };
    }),
    route(joinTeam, (call) => ({ id: invitations.join(call.caller, call.body.code, actorOf(call)) })),
    route(admitToTeam, (call) => {
      teams.admitAdministrator(call.id, call.caller, actorOf(call));
      return { message: 'You are now an admin of the team. Its owner was notified.' };
    }),
  ];
}

function presentTeam(row: TeamRow, timezone: string): Team {
  const { id, name, role, own_only: ownOnly, members } = row;
  return {
    id,
    name,
    role,
    own_only: ownOnly === 1,
    members,
    created: presentTimestamp(row.registered_at, timezone),
    version: row.version,
  };
}

function presentDeleted(row: TrashedTeamRow, timezone: string): Team {
  return {
    ...presentTeam(row, timezone),
    deleted: presentTimestamp(row.trashed_at, timezone),
    until: presentTimestamp(row.trashed_at + trashMs, timezone),
  };
}

function presentForInstance(row: OwnedTeamRow, timezone: string): TeamOfInstance {
  return {
    id: row.id,
    name: row.name,
    owner: { id: row.owner_id, name: row.owner, username: row.owner_username },
    members: row.members,
    created: presentTimestamp(row.registered_at, timezone),
    member: row.is_member === 1,
  };
}

function presentPreview(found: InvitationPreview, timezone: string) {
  return {
    team: { name: found.team },
    // Nobody can be invited as the owner.
    role: givenRole.parse(found.role),
    own_only: found.ownOnly,
    expires: presentTimestamp(found.expiresAt, timezone),
    invited_by: found.invitedBy ?? null,
    bound: found.isBound,
    email: found.email,
  };
}

function presentMember(row: MemberRow, timezone: string): TeamMember {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    role: row.role,
    own_only: row.own_only === 1,
    joined: presentTimestamp(row.joined_at, timezone),
    lastseen: presentOptional(row.seen_at, timezone),
    version: row.version,
  };
}

function presentInvitation(row: TeamInvitationRow, timezone: string): TeamInvitation {
  return {
    id: row.id,
    role: row.role,
    own_only: row.own_only === 1,
    expires: presentTimestamp(row.expires_at, timezone),
    uses: row.uses,
    used: row.used,
    email: row.email,
  };
}
