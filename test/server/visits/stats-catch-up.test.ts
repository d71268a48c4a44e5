import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import type { CountedLink } from '../../../server/platform/events/counted-link.ts';
import { catchUp } from '../../../server/visits/clicks/catch-up.ts';
import { type NewClick, noReferrer, noUtm, type Visitor } from '../../../server/visits/clicks/click.ts';
import { dictionary } from '../../../server/visits/clicks/dictionary.ts';
import { numberIndex } from '../../../server/visits/clicks/number-index.ts';
import { leaveOut, omissionsOf } from '../../../server/visits/clicks/omissions.ts';
import { recorder, type Verdict } from '../../../server/visits/clicks/recorder.ts';
import { type Rollups, rollups } from '../../../server/visits/clicks/rollups.ts';
import { visitorHashes } from '../../../server/visits/clicks/visitor-salt.ts';
import { some } from '../../support/trials.ts';

const noon = Date.UTC(2027, 0, 15, 12);

function setUp() {
  const connection = openInMemory(migrations);
  connection.exec(`
    INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
    VALUES (1, 'a', 'a', 'a', 'a', 'x', 2, 0, 'UTC'), (2, 'b', 'b', 'b', 'b', 'x', 2, 0, 'UTC')`);
  const add = connection.prepare(
    "INSERT INTO links (id, user_id, alias, url, created_at, updated_at, search) VALUES (?, ?, ?, 'https://example.com/', 0, 0, '')",
  );
  for (let id = 1; id <= 20; id += 1) add.run(id, (id % 2) + 1, `l${id}`);
  let now = noon;
  const verdicts: Verdict[] = [];
  const errors: unknown[] = [];
  const log = recorder<NewClick>({
    connection,
    dictionary: dictionary(connection, () => now),
    answer: (_click, verdict) => verdicts.push(verdict),
    log: { error: (details: unknown) => void errors.push(details) },
  });
  const all = (sql: string) => connection.prepare(sql).all() as Record<string, number>[];
  const setNow = (at: number) => {
    now = at;
  };
  return { connection, log, verdicts, errors, all, setNow };
}

function click(linkId: number, fields: Partial<NewClick> = {}, visitor: Partial<Visitor> = {}): NewClick {
  return {
    linkId,
    at: noon,
    source: 0,
    rule: null,
    address: null,
    referrer: noReferrer,
    utm: noUtm,
    limited: false,
    counted: true,
    ...fields,
    visitor: {
      hash: 1,
      bot: false,
      address: '',
      country: 'DE',
      region: '',
      city: '',
      browser: 'Firefox',
      os: 'Linux',
      device: 'Desktop',
      language: 'de',
      codes: undefined,
      ...visitor,
    },
  };
}

const never = () => false;

function countAll(counting: Rollups) {
  while (counting.step(() => true) !== 'all');
}

/** A log of every kind of click over some days. */
function fill({ log }: ReturnType<typeof setUp>, count: number) {
  for (let index = 0; index < count; index += 1) {
    log.add(
      click(
        (index % 20) + 1,
        { at: noon + index * 600_000, source: index % 5 },
        { hash: index % 37, bot: index % 11 === 0, country: index % 3 === 0 ? 'US' : '' },
      ),
    );
    if (index % 7 === 0) log.commit();
  }
  log.commit();
}

const totals = `
  SELECT (SELECT count(*) FROM clicks WHERE bot = 0) AS logged, (SELECT sum(clicks) FROM links) AS ofLinks,
         (SELECT sum(clicks) FROM rollups WHERE scope = 0 AND dimension = 0) AS ofLinkHours,
         (SELECT sum(clicks) FROM rollups WHERE scope = 1 AND dimension = 0) AS ofUserHours,
         (SELECT sum(bots) FROM rollups WHERE scope = 1 AND dimension = 0) AS bots,
         (SELECT count(*) FROM link_clicks) AS listed`;

describe('counting', () => {
  test('gives the same result with any slices', () => {
    const whole = setUp();
    fill(whole, 500);
    countAll(rollups(whole.connection));
    const sliced = setUp();
    fill(sliced, 500);
    const counting = rollups(sliced.connection);
    while (counting.step(never) !== 'all');
    for (const table of ['rollups', 'links', 'link_clicks', 'visitors', 'click_hours']) {
      expect(sliced.all(`SELECT * FROM ${table}`)).toEqual(whole.all(`SELECT * FROM ${table}`));
    }
    const [sums] = whole.all(totals);
    expect(sums).toMatchObject({
      ofLinks: sums?.logged,
      ofLinkHours: sums?.logged,
      ofUserHours: sums?.logged,
      listed: 500,
    });
    expect(sums?.bots).toBe(500 - (sums?.logged ?? 0));
  });

  test('gives the same result if the server is killed after any slice', () => {
    const whole = setUp();
    fill(whole, 300);
    countAll(rollups(whole.connection));
    // The n-th start counts n slices and is then gone with all that it had in memory.
    for (const most of some([4, 7, 31], { from: 1, short: 1 })) {
      const killed = setUp();
      fill(killed, 300);
      let starts = 0;
      for (let isAll = false; !isAll; starts += 1) {
        const counting = rollups(killed.connection);
        for (let slices = 0; slices < most + starts && !isAll; slices += 1)
          isAll = counting.step(never) === 'all';
      }
      expect(starts).toBeGreaterThan(2);
      for (const table of ['rollups', 'links', 'link_clicks', 'visitors', 'click_hours', 'rollup_position']) {
        expect(killed.all(`SELECT * FROM ${table}`)).toEqual(whole.all(`SELECT * FROM ${table}`));
      }
    }
  });

  test('counts very many clicks on few links in one batch, and fewer if each is in its own hour', {
    tags: 'long',
  }, () => {
    const instance = setUp();
    const counted = rollups(instance.connection);
    const write = instance.connection.prepare(
      `INSERT INTO clicks
       SELECT value, 1 + value % 20, @noon + value * @apart, value % 3, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL
       FROM (WITH RECURSIVE numbers AS (SELECT @first AS value UNION ALL SELECT value + 1 FROM numbers LIMIT @count)
             SELECT value FROM numbers)`,
    );
    // Memory has to hold a batch.
    write.run({ first: 1, count: 201_000, apart: 1, noon });
    expect(counted.step(() => true)).toBe('batch');
    expect(counted.waiting()).toBe(1000);
    expect(counted.step(() => true)).toBe('batch');
    write.run({ first: 201_001, count: 51_000, apart: 3_600_000, noon });
    expect(counted.step(() => true)).toBe('batch');
    expect(counted.waiting()).toBeGreaterThan(0);
    expect(counted.step(() => true)).toBe('batch');
    expect(counted.step(() => true)).toBe('all');
    expect(instance.all(totals)[0]).toMatchObject({
      ofLinks: 252_000,
      ofLinkHours: 252_000,
      ofUserHours: 252_000,
      listed: 252_000,
    });
  });

  test('counts clicks that arrive while a batch is being counted', () => {
    const instance = setUp();
    fill(instance, 150);
    const counting = rollups(instance.connection);
    for (let slices = 0; slices < 5; slices += 1) expect(counting.step(never)).toBe('part');
    fill(instance, 150);
    expect(counting.waiting()).toBe(300);
    countAll(counting);
    expect(counting.waiting()).toBe(0);
    expect(instance.all(totals)[0]).toMatchObject({ listed: 300 });
    expect(instance.all(totals)[0]?.ofLinks).toBe(instance.all(totals)[0]?.logged);
  });

  test('never gives a click the id of one that an interrupted batch counted', () => {
    const instance = setUp();
    fill(instance, 40);
    const counting = rollups(instance.connection);
    // Reads, and writes the first link.
    counting.step(never);
    counting.step(never);
    // The newest clicks go with their links, and the server starts anew.
    instance.connection.exec('DELETE FROM clicks WHERE id > 20');
    const restarted = recorder<NewClick>({
      connection: instance.connection,
      dictionary: dictionary(instance.connection, () => noon),
      answer: () => {},
      log: { error: () => {} },
    });
    restarted.add(click(1));
    restarted.commit();
    expect(instance.all('SELECT max(id) AS id FROM clicks')).toEqual([{ id: 41 }]);
  });

  test('resumes where it was if a slice fails at any statement', () => {
    const instance = setUp();
    fill(instance, 60);
    const { connection } = instance;
    const expected = setUp();
    fill(expected, 60);
    countAll(rollups(expected.connection));
    // Lets the n-th write to the rollups fail, for every n, before it is let through.
    connection.exec('CREATE TEMP TABLE fault (left INTEGER)');
    connection.exec('INSERT INTO fault VALUES (0)');
    connection.exec(`CREATE TEMP TRIGGER breaks BEFORE INSERT ON rollups BEGIN
      UPDATE fault SET left = left - 1;
      SELECT RAISE(ABORT, 'broken off') WHERE (SELECT left FROM fault) = 0;
    END`);
    const counted = rollups(connection);
    for (let nth = 1; nth < 40; nth += 1) {
      connection.prepare('UPDATE fault SET left = ?').run(nth);
      try {
        counted.step(() => true);
      } catch (error) {
        expect((error as Error).message).toContain('broken off');
      }
    }
    connection.exec('DROP TRIGGER breaks');
    countAll(counted);
    expect(instance.all('SELECT * FROM rollups')).toEqual(expected.all('SELECT * FROM rollups'));
    expect(instance.all('SELECT * FROM links')).toEqual(expected.all('SELECT * FROM links'));
  });

  test('misses no click after the newest ones were deleted with their link', () => {
    const instance = setUp();
    instance.log.add(click(1));
    instance.log.add(click(2));
    instance.log.commit();
    const counted = rollups(instance.connection);
    countAll(counted);
    instance.connection.exec('DELETE FROM clicks WHERE link_id = 2');
    instance.log.add(click(1));
    instance.log.commit();
    expect(counted.waiting()).toBe(1);
    countAll(counted);
    expect(instance.all('SELECT clicks FROM links WHERE id = 1')).toEqual([{ clicks: 2 }]);
  });

  test('forgets the visitors of past days', () => {
    const instance = setUp();
    fill(instance, 600);
    const counted = rollups(instance.connection);
    countAll(counted);
    const [days] = instance.all('SELECT count(DISTINCT day) AS days FROM visitors');
    expect(days?.days).toBeLessThanOrEqual(2);
  });

  test('remembers visitors for two more days if edges ship clicks late', () => {
    const { connection, log, all } = setUp();
    const counting = rollups(connection);
    connection.exec("INSERT INTO fleet_sources (log, edge_id, position) VALUES ('a', 1, 1)");
    for (const day of [0, 3, 0, 4]) {
      log.add(click(1, { at: noon + day * 86_400_000 }));
      log.commit();
      countAll(counting);
    }
    expect(all('SELECT unique_clicks FROM links WHERE id = 1')).toEqual([{ unique_clicks: 3 }]);
    expect(all('SELECT count(DISTINCT day) AS days FROM visitors')).toEqual([{ days: 2 }]);
  });

  test('counts for a link whose id was in an earlier click, as after a restore', () => {
    const { connection, log, all } = setUp();
    const counting = rollups(connection);
    for (const isThere of [false, true]) {
      if (isThere) {
        connection.exec(`INSERT INTO links (id, user_id, alias, url, created_at, updated_at, search)
          VALUES (30, 1, 'new', 'https://example.com/', 0, 0, '')`);
      }
      log.add(click(30));
      log.commit();
      countAll(counting);
    }
    expect(all('SELECT clicks FROM links WHERE id = 30')).toEqual([{ clicks: 1 }]);
  });

  test('skips a link that is permanently deleted', () => {
    const instance = setUp();
    instance.log.add(click(3));
    instance.log.commit();
    instance.connection.exec('DELETE FROM links WHERE id = 3');
    countAll(rollups(instance.connection));
    expect(instance.all('SELECT count(*) AS rows FROM rollups')).toEqual([{ rows: 0 }]);
  });

  test('skips a link that is permanently deleted between reading and writing its clicks', () => {
    const instance = setUp();
    fill(instance, 150);
    const counting = rollups(instance.connection);
    // Reads all clicks, and writes the first links.
    for (let slices = 0; slices < 6; slices += 1) expect(counting.step(never)).toBe('part');
    instance.connection.exec('DELETE FROM links WHERE id = 20');
    countAll(counting);
    for (const table of ['rollups WHERE scope = 0 AND scope_id', 'visitors WHERE scope = 0 AND scope_id'])
      expect(instance.all(`SELECT count(*) AS rows FROM ${table} = 20`)).toEqual([{ rows: 0 }]);
    expect(instance.all('SELECT count(*) AS rows FROM link_clicks WHERE link_id = 19')).not.toEqual([
      { rows: 0 },
    ]);
  });

  test('reports a few links at a time, each once, with its number of clicks and the newest of them', () => {
    const { connection, log } = setUp();
    const counting = rollups(connection);
    const told: CountedLink[][] = [];
    counting.onCounted((links) => told.push(links));
    for (let index = 0; index < 180; index += 1) log.add(click((index % 20) + 1, {}, { hash: index }));
    log.commit();
    while (counting.step(never) !== 'all');
    expect(told.length).toBeGreaterThan(5);
    expect(told.flat()).toHaveLength(20);
    expect(told.flat()[0]).toEqual({ userId: 2, linkId: 1, count: 9, newest: [81, 101, 121, 141, 161] });
  });

  test('lets a reply wait for a part of a long count, and redirects for at most one slice', async () => {
    const instance = setUp();
    fill(instance, 500);
    let clock = 0;
    const counted = rollups(instance.connection);
    const slices: number[] = [];
    const counting = catchUp({
      rollups: {
        ...counted,
        step(hasTime) {
          const startedAt = clock;
          const found = counted.step(hasTime);
          slices.push(clock - startedAt);
          return found;
        },
      },
      monotonic: () => (clock += 1),
      log: { error: () => {} },
    });
    const turns = vi.fn();
    const one = counting.countRecent();
    setImmediate(turns);
    const other = counting.countRecent();
    await Promise.all([one, other]);
    expect(turns).toHaveBeenCalledOnce();
    expect(slices.length).toBeGreaterThan(1);
    expect(Math.max(...slices)).toBeLessThanOrEqual(4);
    // Those who ask at once do not add up.
    expect(slices.reduce((sum, each) => sum + each)).toBeLessThan(12);
    expect(counted.waiting()).toBe(500);
    while (counted.waiting() > 0) await counting.countRecent();
    expect(instance.all(totals)[0]).toMatchObject({ listed: 500 });
    counting.close();
  });

  test('waits while the write-ahead log must be finished', async () => {
    const instance = setUp();
    fill(instance, 50);
    let isBehind = true;
    const counted = rollups(instance.connection);
    const counting = catchUp({
      rollups: counted,
      monotonic: performance.now.bind(performance),
      log: { error: () => {} },
      mustWait: () => isBehind,
    });
    await counting.countRecent();
    expect(counted.waiting()).toBe(50);
    counting.wake();
    isBehind = false;
    await expect.poll(() => counted.waiting()).toBe(0);
    counting.close();
  });
});

describe('recording', () => {
  test('responds even if the log cannot be written, and reports how much was lost', () => {
    const instance = setUp();
    instance.log.add(click(1));
    instance.log.commit();
    instance.connection.exec(
      `CREATE TEMP TRIGGER full BEFORE INSERT ON clicks BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    instance.log.add(click(1, {}, { country: 'SE' }));
    instance.log.add(click(2, { limited: true }));
    instance.log.commit();
    expect(instance.verdicts).toEqual(['allowed', 'allowed', 'failed']);
    expect(instance.log.lost()).toBe(2);
    expect(instance.errors).toHaveLength(1);
    // The word that was rolled back with the group is added anew.
    instance.connection.exec('DROP TRIGGER full');
    instance.log.add(click(1, {}, { country: 'NO' }));
    instance.log.add(click(1, {}, { country: 'SE' }));
    instance.log.commit();
    const named = instance.all(
      'SELECT word FROM clicks JOIN words ON words.id = clicks.country ORDER BY clicks.id',
    );
    expect(named.map(({ word }) => word)).toEqual(['DE', 'NO', 'SE']);
  });

  test('adds a limited number of new strings a minute', () => {
    const instance = setUp();
    for (let index = 0; index < 500; index += 1) {
      instance.log.add(
        click(1 + (index % 10), {
          referrer: { host: `random-${index}.example`, path: '', codes: undefined, tokens: undefined },
        }),
      );
    }
    instance.log.commit();
    const [before] = instance.all("SELECT count(*) AS words FROM words WHERE word LIKE 'random-%'");
    expect(before?.words).toBe(120);
    instance.setNow(noon + 60_000);
    instance.log.add(
      click(1, { referrer: { host: 'random-499.example', path: '', codes: undefined, tokens: undefined } }),
    );
    instance.log.commit();
    expect(instance.all("SELECT count(*) AS words FROM words WHERE word = 'random-499.example'")).toEqual([
      { words: 1 },
    ]);
  });

  test('adds fewer from one network and on one link, so that others have theirs', () => {
    const instance = setUp();
    const added = (like: string) =>
      instance.all(`SELECT count(*) AS words FROM words WHERE word LIKE '${like}'`)[0]?.words;
    const referrer = (host: string) => ({ host, path: '', codes: undefined, tokens: undefined });
    for (let index = 0; index < 300; index += 1) {
      const address = `2001:db8::${index.toString(16)}`;
      instance.log.add(
        click(1 + (index % 10), { referrer: referrer(`greedy-${index}.example`) }, { address }),
      );
    }
    for (let index = 0; index < 300; index += 1) {
      const address = `198.51.100.${index % 250}`;
      instance.log.add(click(20, { referrer: referrer(`link-${index}.example`) }, { address }));
    }
    const shared = referrer('honest.example');
    instance.log.add(click(3, { referrer: shared }, { address: '203.0.113.5' }));
    instance.log.commit();
    expect([added('greedy-%'), added('link-%'), added('honest.example')]).toEqual([30, 60, 1]);
    // What was one too many is not an empty word for good.
    const late = referrer('late.example');
    for (const address of ['2001:db8::1', '2001:db8::2']) {
      instance.log.add(click(4, { referrer: late }, { address }));
      instance.log.commit();
      instance.setNow(noon + 60_000);
    }
    expect(added('late.example')).toBe(1);
  });

  test('truncates long strings, without breaking a character in two', () => {
    const instance = setUp();
    const host = `${'x'.repeat(199)}😀😀`;
    instance.log.add(click(1, { referrer: { host, path: '', codes: undefined, tokens: undefined } }));
    instance.log.commit();
    const [longest] = instance.connection.prepare("SELECT word FROM words WHERE word LIKE 'xxx%'").all() as {
      word: string;
    }[];
    expect(longest?.word.length).toBeLessThanOrEqual(200);
    expect(longest?.word.isWellFormed()).toBe(true);
  });
});

test('an index of numbers finds each where it was added, whatever its size and however many there are', () => {
  const index = numberIndex();
  const numbers = [0, 2 ** 53 - 1, 2 ** 32, 2 ** 31, 1];
  for (let count = 0; count < 5000; count += 1) numbers.push(count * 16 + 3, count * 2 ** 40 + 5);
  for (const [place, number] of numbers.entries()) expect(index.placeOf(number)).toBe(place);
  for (const [place, number] of numbers.entries()) expect(index.placeOf(number)).toBe(place);
  expect([...index.values()]).toEqual(numbers);
});

test('a visitor with little data is encoded once, however often they return', () => {
  const { log, all } = setUp();
  const little = omissionsOf({
    noReferrer: false,
    noBrowser: true,
    noPlace: false,
    noSignedIn: false,
    keep: 'clicks',
  });
  const { visitor } = click(1);
  const visits = [click(1), click(2)].map((each) => ({ ...each, visitor }));
  for (const each of visits) {
    leaveOut(each, little);
    log.add(each);
    log.commit();
  }
  expect(visits[0]?.visitor.codes).toMatchObject({ browser: 0, language: 0 });
  expect(visits[1]?.visitor).toBe(visits[0]?.visitor);
  expect(visitor).toMatchObject({ browser: 'Firefox', codes: undefined });
  // Another account keeps nothing but counts of the same visitor.
  const none = { ...click(3), visitor };
  leaveOut(
    none,
    omissionsOf({ noReferrer: false, noBrowser: false, noPlace: false, noSignedIn: false, keep: 'counts' }),
  );
  expect(none.visitor).toMatchObject({ hash: 0, country: '', browser: '' });
  expect(all('SELECT DISTINCT browser FROM clicks')).toEqual([{ browser: 0 }]);
});

test('a visitor is the same all day and cannot be recognized the next, nor after it', () => {
  const { connection, all } = setUp();
  const hashes = visitorHashes({ connection, newSalt: () => randomBytes(32) });
  const today = hashes.of('203.0.113.7', 'agent', noon);
  expect(hashes.of('203.0.113.7', 'agent', noon + 3_600_000)).toBe(today);
  expect(hashes.of('203.0.113.8', 'agent', noon)).not.toBe(today);
  // A restart on the same day.
  expect(visitorHashes({ connection, newSalt: () => randomBytes(32) }).of('203.0.113.7', 'agent', noon)).toBe(
    today,
  );
  expect(hashes.of('203.0.113.7', 'agent', noon + 86_400_000)).not.toBe(today);
  expect(all('SELECT count(*) AS salts FROM visitor_salt')).toEqual([{ salts: 1 }]);
});

test('a visitor takes four bytes of a click, and visitors are distinguishable', () => {
  const hashes = visitorHashes({ connection: setUp().connection, newSalt: () => randomBytes(32) });
  const visitors = Array.from({ length: 1000 }, (_, index) =>
    hashes.of('203.0.113.7', `agent ${index}`, noon),
  );
  expect(new Set(visitors).size).toBe(1000);
  expect(visitors.every((each) => Number.isSafeInteger(each) && each >= 0)).toBe(true);
  // A number beyond takes six (SQLite, "Record Format").
  expect(Math.max(...visitors)).toBeLessThan(2 ** 31);
  expect(Math.max(...visitors)).toBeGreaterThan(2 ** 30);
});

test('the salt of tomorrow from another machine is used tomorrow, and none of a distant day', () => {
  const { connection } = setUp();
  const today = Math.floor(noon / 86_400_000);
  const add = connection.prepare('INSERT INTO visitor_salt (day, salt) VALUES (?, ?)');
  for (const day of [today - 1, today + 1, today + 9]) add.run(day, Buffer.alloc(32, day % 256));
  const hashes = visitorHashes({ connection, newSalt: () => randomBytes(32) });
  hashes.of('203.0.113.7', 'agent', noon);
  const days = connection.prepare('SELECT day FROM visitor_salt ORDER BY day').pluck();
  expect(days.all()).toEqual([today, today + 1]);
  const tomorrow = hashes.of('203.0.113.7', 'agent', noon + 86_400_000);
  const other = visitorHashes({ connection, newSalt: () => randomBytes(32) });
  expect(other.of('203.0.113.7', 'agent', noon + 86_400_000)).toBe(tomorrow);
  const salt = connection
    .prepare('SELECT salt FROM visitor_salt WHERE day = ?')
    .pluck()
    .get(today + 1);
  expect(salt).toEqual(Buffer.alloc(32, (today + 1) % 256));
});

test('counting continues by itself while nothing else wakes the process', async () => {
  let slices = 0;
  let counting: ReturnType<typeof catchUp> | undefined;
  const counted = new Promise<string>((resolve) => {
    const step = () => {
      slices += 1;
      if (slices < 500) return 'part' as const;
      resolve('counted');
      return 'all' as const;
    };
    counting = catchUp({
      rollups: { step, waiting: () => 1, forgetOwners: () => true, onCounted: () => () => {} },
      monotonic: () => performance.now(),
      log: { error: () => {} },
    });
    counting.wake();
  });
  // The only other thing that is to happen: an idle loop sleeps until then.
  let timer: NodeJS.Timeout | undefined;
  const woken = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('woken'), 4_000);
  });
  expect(await Promise.race([counted, woken])).toBe('counted');
  clearTimeout(timer);
  counting?.close();
});
