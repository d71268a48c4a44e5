import { describe, expect, test } from 'vitest';
import { knownInstances, type StoredInstances, storedInstances } from '../../../main/instances/instances.ts';
import { fakeServer, instancesAt, memoryFile, memorySecrets } from '../../support/desktop-parts.ts';

const remote = { origin: 'https://links.example', key: 'remote key' };
const local = { origin: 'http://127.0.0.1:8420', key: 'local key' };

describe('the servers that the desktop knows', () => {
  test('are its own and the remote ones', () => {
    const { instances } = instancesAt({ local, work: remote });
    expect(instances.list()).toMatchObject([
      { id: 'local', kind: 'local', origin: local.origin, signedIn: true },
      { id: 'work', kind: 'remote', origin: remote.origin, signedIn: true },
    ]);
  });

  test('never show a key', () => {
    const { instances } = instancesAt({ local, work: remote });
    expect(JSON.stringify(instances.list())).not.toMatch(/local key|remote key/);
  });

  test('have no origin while the local server is starting', () => {
    const { instances, server } = instancesAt({ local });
    server.become({ state: 'restarting', attempt: 1 });
    expect(instances.list()).toMatchObject([{ id: 'local', origin: '' }]);
    expect(instances.findTarget('local')).toBeUndefined();
  });

  test('remember across starts that someone is signed in, before the server is up', () => {
    const secrets = memorySecrets({ 'local:data-1': 'local key' });
    const file = memoryFile<StoredInstances>({ remotes: [], current: 'local', localId: 'data-1' });
    const { list } = knownInstances({ file, secrets, server: fakeServer(), onNotWritten() {} });
    expect(list()).toMatchObject([{ id: 'local', origin: '', signedIn: true }]);
  });

  test('show the one that was shown last, or the local one when that is gone', () => {
    const { instances } = instancesAt({ local, work: remote });
    expect(instances.current()).toBe('local');
    instances.select('work');
    expect(instances.current()).toBe('work');
    expect(() => instances.select('gone')).toThrow('Instance not found');
    const file = memoryFile<StoredInstances>({ remotes: [], current: 'gone' });
    expect(
      knownInstances({ file, secrets: memorySecrets(), server: fakeServer(), onNotWritten() {} }).current(),
    ).toBe('local');
  });

  test('are shown one after the other, and keep their keys, where nothing can be written', async () => {
    const { instances, secrets } = instancesAt({ local, work: remote }, { isFull: true });
    instances.select('work');
    expect(instances.current()).toBe('work');
    instances.select('local');
    expect(instances.current()).toBe('local');
    const choice = { name: 'Work', color: 'rose', origin: 'https://other.example' };
    expect(() => instances.edit('work', choice)).toThrow('The disk is full.');
    expect(() => instances.remove('work')).toThrow('The disk is full.');
    expect(instances.list()).toMatchObject([{ id: 'local' }, { id: 'work', signedIn: true }]);
    expect(await secrets.find(remote.origin)).toBe('remote key');
  });

  test('tell when another one is shown, once', () => {
    const { instances } = instancesAt({ local, work: remote });
    const told: string[] = [];
    instances.onChange(() => told.push(instances.current()));
    instances.select('work');
    instances.select('work');
    instances.select('local');
    expect(told).toEqual(['work', 'local']);
  });

  test('count as signed out once the instance has refused the key, and as signed in once it takes it again', () => {
    const { instances } = instancesAt({ local, work: remote });
    const told: boolean[][] = [];
    instances.onChange((list) => told.push(list.map(({ signedIn }) => signedIn)));
    instances.noteKey('work', false);
    instances.noteKey('work', false);
    instances.noteKey('work', true);
    instances.noteKey('work', true);
    expect(told).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  test('forget the key of one and keep the other', async () => {
    const { instances, secrets } = instancesAt({ local, work: remote });
    instances.forgetKey('work');
    expect(instances.list().map(({ signedIn }) => signedIn)).toEqual([true, false]);
    expect(await secrets.find(remote.origin)).toBeUndefined();
    expect(await secrets.find('local:data-1')).toBe('local key');
  });
});

describe('the key of the local server', () => {
  test('stays when the port changes', async () => {
    const { instances, secrets, server } = instancesAt({ local });
    const origin = 'http://127.0.0.1:8421';
    server.become({ state: 'running', origin }, { origin, instanceId: 'data-1' });
    const target = instances.findTarget('local');
    expect(target?.origin).toBe(origin);
    expect(await secrets.find(target?.binding ?? '')).toBe('local key');
  });

  test('is not tried on another data folder at the same address', async () => {
    const { instances, secrets, server } = instancesAt({ local });
    server.become(
      { state: 'running', origin: local.origin },
      { origin: local.origin, instanceId: 'another' },
    );
    expect(instances.list()).toMatchObject([{ signedIn: false }]);
    expect(await secrets.find(instances.findTarget('local')?.binding ?? '')).toBeUndefined();
  });
});

describe('waiting for an instance', () => {
  test('lasts until the local server runs', async () => {
    const { instances, server } = instancesAt({});
    const reached = instances.reachTarget('local', new AbortController().signal);
    server.become({ state: 'restarting', attempt: 1 });
    server.become({ state: 'running', origin: local.origin }, { origin: local.origin, instanceId: 'data-1' });
    expect(await reached).toMatchObject({ origin: local.origin });
  });

  test('ends when the local server has given up', async () => {
    const { instances, server } = instancesAt({});
    const reached = instances.reachTarget('local', new AbortController().signal);
    server.become({ state: 'stopped', message: 'No.', logFile: '' });
    expect(await reached).toBeUndefined();
  });

  test('ends when nobody wants it any more', async () => {
    const { instances } = instancesAt({});
    const abort = new AbortController();
    const reached = instances.reachTarget('local', abort.signal);
    abort.abort(new Error('given up'));
    await expect(reached).rejects.toThrow('given up');
    await expect(instances.reachTarget('local', abort.signal)).rejects.toThrow('given up');
  });

  test('does not begin for an instance that is not known', async () => {
    const { instances } = instancesAt({ local });
    expect(await instances.reachTarget('gone', new AbortController().signal)).toBeUndefined();
  });
});

test.each([
  'https://links.example/',
  'https://links.example/api',
  'ftp://links.example',
  'HTTPS://links.example',
  'x',
])('a stored instance at %s is damage', (origin) => {
  const stored = { current: 'local', remotes: [{ id: 'a', name: 'A', color: 'blue', origin }] };
  expect(storedInstances.safeParse(stored).success).toBe(false);
});

describe('a remote instance', () => {
  const choice = { name: 'Work', color: 'blue', origin: 'https://links.example' };

  test('is added without a key, edited, and removed together with its key', async () => {
    const { instances, secrets } = instancesAt({ local });
    const id = instances.add(choice);
    expect(instances.list()[1]).toEqual({ id, kind: 'remote', signedIn: false, ...choice });
    await instances.keepKey(id, 'a key');
    expect(instances.list()[1]).toMatchObject({ signedIn: true });
    instances.edit(id, { ...choice, name: 'Office', color: 'rose' });
    expect(instances.list()[1]).toMatchObject({ id, name: 'Office', color: 'rose', signedIn: true });
    instances.select(id);
    instances.remove(id);
    expect(instances.list()).toHaveLength(1);
    expect(instances.current()).toBe('local');
    expect(await secrets.find(choice.origin)).toBeUndefined();
  });

  test('loses its key when its address changes, and never sends it there', async () => {
    const { instances, secrets } = instancesAt({ local, work: remote });
    instances.edit('work', { ...choice, origin: 'https://other.example' });
    expect(await secrets.find(remote.origin)).toBeUndefined();
    expect(instances.findTarget('work')).toMatchObject({ binding: 'https://other.example' });
    expect(await secrets.find('https://other.example')).toBeUndefined();
  });

  test.each(['https://links.example/path', 'ftp://links.example', 'javascript:alert(1)', ''])(
    'cannot be at %j',
    (origin) => {
      const { instances } = instancesAt({ local });
      expect(() => instances.add({ ...choice, origin })).toThrow('not a server URL');
      expect(instances.list()).toHaveLength(1);
    },
  );

  test('has an address of its own', () => {
    const { instances } = instancesAt({ local, work: remote });
    expect(() => instances.add(choice)).toThrow('already added as “work”');
    const other = instances.add({ ...choice, origin: 'https://other.example' });
    expect(() => instances.edit(other, choice)).toThrow('already added');
    instances.edit('work', { ...choice, name: 'Same address' });
  });

  test('is never the one that the app runs itself', async () => {
    const { instances, secrets } = instancesAt({ local });
    expect(() => instances.edit('local', choice)).toThrow('Instance not found');
    expect(() => instances.remove('local')).toThrow('Instance not found');
    await expect(instances.keepKey('local', 'stolen')).rejects.toThrow('Instance not found');
    expect(await secrets.find('local:data-1')).toBe('local key');
  });

  test('is one of a hundred at most', () => {
    const { instances } = instancesAt({ local });
    for (let index = 0; index < 100; index++)
      instances.add({ ...choice, origin: `https://s${index}.example` });
    expect(() => instances.add(choice)).toThrow('100 instances');
  });
});
