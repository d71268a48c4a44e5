import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, identifier, listOf, paging, timestamp, timestampInput } from './envelope.ts';
import { roles } from './roles.ts';
import { email, plainLine } from './sessions.ts';
import { edited, versioned } from './versions.ts';

const role = z.enum(roles);
/** Ownership can only be transferred. */
export const givenRole = z.enum(['viewer', 'contributor', 'editor', 'admin']);
/** A team's name. */
export const teamName = plainLine(120).pipe(z.string().min(2, 'Enter a name of at least 2 characters.'));

/** A team as seen by a member; `role` and `own_only` are the member's. */
export const team = z.object({
  id: z.number().int(),
  name: z.string(),
  role,
  /** Whether they only see records they created. */
  own_only: z.boolean(),
  /** Number of members, including the owner. */
  members: z.number().int(),
  created: timestamp,
  /** For a deleted team: when it was deleted, and until when it can be restored. */
  deleted: timestamp.optional(),
  until: timestamp.optional(),
  ...versioned,
});
export type Team = z.output<typeof team>;

/** A team as seen by the instance's administrators, who have no access to its records. */
export const teamOfInstance = z.object({
  id: z.number().int(),
  name: z.string(),
  owner: z.object({ id: z.number().int(), name: z.string(), username: z.string() }),
  members: z.number().int(),
  created: timestamp,
  /** Whether the requesting administrator is a member. */
  member: z.boolean(),
});
export type TeamOfInstance = z.output<typeof teamOfInstance>;

/** A member; `id` is the user's. */
export const teamMember = z.object({
  id: z.number().int(),
  name: z.string(),
  username: z.string(),
  role,
  own_only: z.boolean(),
  joined: timestamp,
  lastseen: timestamp.nullable(),
  ...versioned,
});
export type TeamMember = z.output<typeof teamMember>;

/** An invitation; its code is only returned on creation. */
export const teamInvitation = z.object({
  id: z.number().int(),
  role,
  own_only: z.boolean(),
  expires: timestamp,
  uses: z.number().int(),
  used: z.number().int(),
  /** The email address it is bound to; null if anyone with the code may use it. */
  email: z.string().nullable(),
});
export type TeamInvitation = z.output<typeof teamInvitation>;

/** Reauthentication before an irreversible action. */
const proof = {
  /** Users without a password omit this, and must have signed in within the last five minutes. */
  password: z.string().max(1024).optional(),
  /** A code from the authenticator app, or a recovery code, for users with two-factor authentication. */
  code: z.string().max(64).optional(),
};

export const listTeams = endpoint({
  method: 'GET',
  path: '/api/teams',
  summary: "List the caller's teams, or with deleted=1 those that they can restore, newest first.",
  acts: 'member',
  scope: 'teams',
  query: z.object({ ...paging, deleted: z.enum(['0', '1']).optional() }),
  reply: listOf('teams', team),
});

/** For administrators, who can add themselves to a team (`admitToTeam`). */
export const listAllTeams = endpoint({
  method: 'GET',
  path: '/api/teams/all',
  summary: 'List all teams of this instance with their owners, newest first.',
  access: 'admin',
  scope: 'teams',
  alsoReads: ['users'],
  query: z.object(paging),
  reply: listOf('teams', teamOfInstance),
});

export const addTeam = endpoint({
  method: 'POST',
  path: '/api/team/add',
  summary: 'Create a team; the caller becomes its owner.',
  acts: 'member',
  scope: 'teams',
  body: z.object({ name: teamName }),
  reply: z.object({ id: z.number().int() }),
});

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/team/:id',
  summary: 'Get a team.',
  acts: 'member',
  scope: 'teams',
  reply: z.object({ data: team }),
});

export const updateTeam = endpoint({
  method: 'PUT',
  path: '/api/team/:id/update',
  summary: 'Rename a team.',
  acts: 'member',
  scope: 'teams',
  body: z.object({ name: teamName }),
  reply: edited,
});

export const deleteTeam = endpoint({
  method: 'DELETE',
  path: '/api/team/:id/delete',
  summary: 'Delete a team with everything it owns; it can be restored for 30 days.',
  acts: 'member',
  scope: 'teams',
  body: z.object(proof),
  refusals: [429],
  reply: acknowledged,
});

export const restoreTeam = endpoint({
  method: 'POST',
  path: '/api/team/:id/restore',
  summary: 'Restore a deleted team.',
  acts: 'member',
  scope: 'teams',
  bodyOptional: true,
  reply: acknowledged,
});

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/team/:id/members',
  summary: 'List the members of a team, newest first.',
  acts: 'member',
  scope: 'teams',
  query: z.object(paging),
  reply: listOf('members', teamMember),
});

export const updateMember = endpoint({
  method: 'PUT',
  path: '/api/team/:id/member/:userid/update',
  summary: "Change a member's role; omitted fields are unchanged.",
  scopeRule: 'Making somebody an admin of a team requires a full key that does not expire.',
  acts: 'member',
  scope: 'teams',
  body: z.object({ role: role.optional(), own_only: z.boolean().optional() }),
  reply: edited,
});

export const deleteMember = endpoint({
  method: 'DELETE',
  path: '/api/team/:id/member/:userid/delete',
  summary: 'Remove a member; what they created stays with the team.',
  acts: 'member',
  scope: 'teams',
  reply: acknowledged,
});

export const leaveTeam = endpoint({
  method: 'POST',
  path: '/api/team/:id/leave',
  summary: 'Leave a team.',
  acts: 'member',
  scope: 'teams',
  bodyOptional: true,
  reply: acknowledged,
});

export const transferTeam = endpoint({
  method: 'POST',
  path: '/api/team/:id/transfer',
  summary: 'Make another member the owner; the former owner becomes an admin.',
  acts: 'member',
  scope: 'teams',
  body: z.object({ userid: identifier, ...proof }),
  refusals: [429],
  reply: acknowledged,
});

export const inviteMember = endpoint({
  method: 'POST',
  path: '/api/team/:id/invite',
  summary: 'Create an invitation; its code is returned only once.',
  scopeRule: 'Making somebody an admin of a team requires a full key that does not expire.',
  acts: 'member',
  scope: 'teams',
  body: z.object({
    role: givenRole,
    own_only: z.boolean().optional(),
    /** Defaults to 7 days. */
    expires: timestampInput.optional(),
    uses: z.number().int().min(1, 'Allow at least 1 use.').max(100, 'Allow at most 100 uses.').default(1),
    email: email.optional(),
  }),
  reply: z.object({
    id: z.number().int(),
    code: z.string(),
    link: z.string(),
    /** Whether it was sent to `email`; only if the instance sends email. */
    mailed: z.boolean(),
  }),
});

export const listTeamInvitations = endpoint({
  method: 'GET',
  path: '/api/team/:id/invites',
  summary: 'List the invitations of a team, newest first.',
  acts: 'member',
  scope: 'teams',
  query: z.object(paging),
  reply: listOf('invites', teamInvitation),
});

export const deleteTeamInvitation = endpoint({
  method: 'DELETE',
  path: '/api/team/:id/invite/:inviteid/delete',
  summary: 'Withdraw an invitation.',
  acts: 'member',
  scope: 'teams',
  reply: acknowledged,
});

/**
 * The details of an invitation, for the confirmation page. Works with and without a session, and fails where joining
 * would.
 */
export const previewInvitation = endpoint({
  method: 'POST',
  path: '/api/team/invitation',
  summary: 'Show the team and the role that an invitation is for, without using it up.',
  access: 'public',
  reads: true,
  body: z.object({ code: z.string().max(200) }),
  reply: z.object({
    data: z.object({
      team: z.object({ name: z.string() }),
      role: givenRole,
      own_only: z.boolean(),
      /** In the signed-in user's time zone, otherwise in UTC. */
      expires: timestamp,
      /** Null if that user was deleted. */
      invited_by: z.string().nullable(),
      /**
       * Whether it is bound to an email address, and to which one; only disclosed to a user signed in with that
       * address.
       */
      bound: z.boolean(),
      email: z.string().nullable(),
    }),
  }),
});

/** Sessions only: a key only has access to its own account. */
export const joinTeam = endpoint({
  method: 'POST',
  path: '/api/team/join',
  summary: 'Join a team by an invitation.',
  acts: 'member',
  scope: 'teams',
  body: z.object({ code: z.string().max(200) }),
  reply: z.object({ id: z.number().int() }),
});

/** Administrators only see a team's links as members; joining is logged, and the owner is notified. */
export const admitToTeam = endpoint({
  method: 'POST',
  path: '/api/team/:id/admit',
  summary: 'Become an admin of a team, as an administrator of this instance.',
  access: 'admin',
  scope: 'teams',
  reachesAll: true,
  bodyOptional: true,
  reply: acknowledged,
});
