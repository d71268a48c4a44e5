import type { Logger } from 'pino';
import {
  accountOf,
  credentialsOf,
  newEngineKey,
  type Rights,
  readAccount,
  readEngineKey,
  userJwt,
  withoutUsers,
} from './claims.ts';
import { asFailure, connectEngine, type EngineAddress } from './engine.ts';
import { edgeRights, joinRights } from './engine-config.ts';
import type { EdgeRow, FleetQueries } from './queries.ts';
import type { FleetSettings } from './settings.ts';
import { edgeInbox } from './subjects.ts';

/** Why a key is of no use, in a sentence for an administrator. */
export class SignerRefused extends Error {
  readonly field: 'signingkey' | 'operatorkey';

  constructor(field: SignerRefused['field'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.field = field;
  }
}

const probeRights: Rights = { publish: ['waypost.test'], subscribe: [`${edgeInbox('test')}.>`] };

/**
 * Creates a separate NATS user for each edge; undefined if no signing key is stored. Throws SignerRefused for an
 * unusable one.
 */
export async function edgeSigner({ credentials, signingkey }: FleetSettings) {
  if (signingkey === null) return undefined;
  const signer = await readEngineKey(signingkey, 'account');
  if (!signer) {
    throw new SignerRefused(
      'signingkey',
      'This is not a signing key. Paste the line in signing.key, which begins with SA.',
    );
  }
  const account = accountOf(credentials ?? '');
  if (account === undefined) {
    throw new SignerRefused(
      'signingkey',
      'A signing key needs the credentials file of the origin: sign in with that.',
    );
  }
  const sign = (user: Omit<Parameters<typeof userJwt>[0], 'account'>): string =>
    userJwt({ ...user, account }, signer);
  async function newUser(name: string, rights: Rights, at: number): Promise<string> {
    const { id, seed } = await newEngineKey('user');
    return credentialsOf(sign({ name, id, rights, at }), seed);
  }
  return {
    account,
    /** Authorizes the user with this public key, with an edge's permissions. */
    issue: (id: number, user: string, at: number): string =>
      sign({ name: `edge-${id}`, id: user, rights: edgeRights(id), at }),
    /** Credentials with which an edge can ask to join, and nothing else. */
    forJoining: (id: number, at: number): Promise<string> => newUser(`join-${id}`, joinRights(id), at),
    /** Credentials to try the key with; they allow nothing that an edge does. */
    probe: (at: number): Promise<string> => newUser('test', probeRights, at),
  };
}

interface CutOff {
  url: string;
  /** The text of `operator.key`. */
  operatorkey: string;
  account: string;
  /** Public keys of revoked users. */
  users: readonly string[];
  now: number;
}

const answerMs = 5_000;

/**
 * Revokes users in NATS, which closes their connections. Without users, only tests whether that would work. Throws
 * SignerRefused or EngineFailure.
 */
export async function cutOffUsers({ url, operatorkey, account, users, now }: CutOff): Promise<void> {
  const operator = await readEngineKey(/\bSO[A-Z2-7]{56}\b/.exec(operatorkey)?.[0] ?? '', 'operator');
  if (!operator || accountOf(operatorkey) === undefined) {
    throw new SignerRefused(
      'operatorkey',
      'This is not an operator key. Paste the whole text of operator.key.',
    );
  }
  const address: EngineAddress = { url, credentials: operatorkey };
  const engine = await connectEngine(address, 'waypost-operator').catch((error: unknown) => {
    throw new SignerRefused('operatorkey', asFailure(error, address).message, { cause: error });
  });
  try {
    const { connection } = engine;
    const ask = async (subject: string, body: string) =>
      Buffer.from((await connection.request(subject, body, { timeout: answerMs })).data).toString('utf8');
    const claims = readAccount(await ask(`$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`, ''));
    // NATS would store what another operator signed, and reject everyone after its next start.
    if (claims.iss !== operator.id) throw new Error(`the account is signed by ${claims.iss}`);
    if (users.length === 0) return;
    const told = await ask('$SYS.REQ.CLAIMS.UPDATE', withoutUsers(claims, users, operator, now));
    if (!told.includes('"code":200')) throw new Error(told);
  } catch (error) {
    const message =
      'The engine does not trust this operator key. Use operator.key of the same folder as origin.creds.';
    throw new SignerRefused('operatorkey', message, { cause: error });
  } finally {
    await engine.close();
  }
}

/** Tries the operator key, where one is stored. Throws SignerRefused. */
export async function tryOperator({ operatorkey, url }: FleetSettings, account: string): Promise<void> {
  if (operatorkey === null) return;
  await cutOffUsers({ url: url ?? '', operatorkey, account, users: [], now: 0 });
}

interface Options {
  queries: Pick<FleetQueries, 'revokedUsers' | 'noteCutOff'>;
  settings: () => FleetSettings | undefined;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Revokes all revoked edges in NATS. Failures are retried with the next call, and logged once. */
export function cutOffRevoked({ queries, settings, now, log }: Options): () => Promise<void> {
  let told = '';
  let working = Promise.resolve();

  async function work(): Promise<void> {
    const current = settings();
    const users = queries.revokedUsers();
    if (!current?.enabled || current.operatorkey === null || users.every(({ isCutOff }) => isCutOff)) return;
    const { credentials, operatorkey, url } = current;
    try {
      const account = accountOf(credentials ?? '') ?? '';
      // All of them: NATS may have missed earlier messages while it was offline.
      await cutOffUsers({
        ...{ url: url ?? '', operatorkey, account, now: now() },
        users: users.map(({ user }) => user),
      });
      for (const { id, isCutOff } of users) if (!isCutOff) queries.noteCutOff(id, now());
      told = '';
    } catch (error) {
      const message = `The engine was not told yet that an edge is revoked. ${(error as Error).message}`;
      if (message !== told) log.warn({ err: error }, message);
      told = message;
    }
  }

  // One at a time: each changes the engine's state.
  return () => {
    working = working.then(work);
    return working;
  };
}

/** The command that does the same by hand; null where there is nothing left to be done. */
export function cutOffCommand(settings: FleetSettings, edge: EdgeRow): string | null {
  const { credentials, operatorkey, url } = settings;
  const { cut_off_at, revoked_at, user_key } = edge;
  if (operatorkey !== null || user_key === null || revoked_at === null || cut_off_at !== null) return null;
  const account = accountOf(credentials ?? '') ?? '';
  return `waypost fleet revoke ${user_key} --account ${account} --url ${url ?? ''} --key operator.key`;
}
