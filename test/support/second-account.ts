import type { Call } from '../../renderer/api/client.ts';
import { keyQueries } from '../../server/identity/keys/queries.ts';
import { keyService } from '../../server/identity/keys/service.ts';
import type { RawReply, TestApp } from './app.ts';

/** Another account on the same instance. */
export interface SecondAccount {
  id: number;
  /** A session token: 600 requests a minute. */
  key: string;
  call: Call;
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<RawReply>;
}

/** Creates another account directly in the database, on the Pro plan by default. */
export function secondAccount(server: TestApp, username = 'bert', plan: 1 | 2 = 2): SecondAccount {
  const { main } = server.databases;
  const id = Number(
    main
      .prepare(
        `INSERT INTO users (email, email_folded, username, username_folded, name, password_hash, plan_id,
           registered_at, timezone)
         VALUES (@email, @email, @username, @username, @username, 'none', @plan, 0, 'UTC')`,
      )
      .run({ email: `${username}@example.com`, username, plan }).lastInsertRowid,
  );
  const keys = keyService({ queries: keyQueries(main), now: server.clock.now });
  const key = keys.create(id, 'session', 'test').secret;
  return {
    id,
    key,
    call: server.clientFor(key),
    request: (method, path, options = {}) => server.request(method, path, { ...options, key }),
  };
}

/** Adds a branded domain directly in the database; without an owner it is a platform domain. */
export function addDomain(server: TestApp, host: string, owner: number | null): number {
  const insert = server.databases.main.prepare(
    'INSERT INTO domains (user_id, host, active, created_at) VALUES (?, ?, 1, 0)',
  );
  return Number(insert.run(owner, host).lastInsertRowid);
}
