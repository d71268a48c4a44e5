import { afterEach, beforeEach, expect, test } from 'vitest';
import { leaveInstance } from '../../../main/instances/leave-instance.ts';
import { type HttpStandIn, httpServer, instancesAt, memoryLog } from '../../support/desktop-parts.ts';

let office: HttpStandIn;
/** Whether the server answers. */
let answers: boolean;
beforeEach(async () => {
  answers = true;
  office = await httpServer((_, response) => {
    if (answers) response.end('{}');
  });
});
afterEach(() => office.close());

function parts(isFull = false) {
  const { instances, secrets } = instancesAt({ work: { origin: office.origin, key: 'the key' } }, { isFull });
  const log = memoryLog();
  return { instances, secrets, log, leave: leaveInstance({ instances, secrets, system: fetch, log }) };
}
const signOuts = () =>
  office.seen.map(({ method, url, headers }) => `${method} ${url} ${headers.authorization}`);
const signOut = 'POST /api/auth/logout Bearer the key';

test('an instance that is removed is signed out of', async () => {
  const { instances, secrets, leave } = parts();
  leave('work', () => instances.remove('work'));
  expect(instances.list()).toMatchObject([{ id: 'local' }]);
  expect(secrets.has(office.origin)).toBe(false);
  await expect.poll(signOuts).toEqual([signOut]);
});

test('an instance that does not answer is removed all the same', async () => {
  answers = false;
  const { instances, leave, log } = parts();
  leave('work', () => instances.remove('work'));
  expect(instances.list()).toMatchObject([{ id: 'local' }]);
  await expect.poll(signOuts).toEqual([signOut]);
  await office.close();
  await expect.poll(() => log.lines.join()).toContain('could not be ended');
  expect(log.lines.join()).not.toContain('the key"');
  office = await httpServer(() => {});
});

test('an instance with another URL is signed out of at the old one, with another name it is not', async () => {
  const { instances, secrets, leave } = parts();
  const choice = { name: 'Office', color: 'rose', origin: office.origin };
  leave('work', () => instances.edit('work', choice));
  expect(await secrets.find(office.origin)).toBe('the key');
  leave('work', () => instances.edit('work', { ...choice, origin: 'https://links.example' }));
  await expect.poll(signOuts).toEqual([signOut]);
});

test('an instance that could not be removed stays signed in', async () => {
  const { instances, secrets, leave } = parts(true);
  expect(() => leave('work', () => instances.remove('work'))).toThrow('The disk is full.');
  expect(await secrets.find(office.origin)).toBe('the key');
  expect(signOuts()).toEqual([]);
});

test('a key is not sent unencrypted once more by whoever takes that permission back', async () => {
  const { instances, secrets } = instancesAt({ work: { origin: 'http://links.example', key: 'the key' } });
  const choice = { name: 'Work', color: 'rose', origin: 'http://links.example' };
  instances.edit('work', { ...choice, allowsInsecure: true });
  await instances.keepKey('work', 'the key');
  const sent: string[] = [];
  const system = async (address: string) => {
    sent.push(address);
    return new Response('{}');
  };
  const leave = leaveInstance({ instances, secrets, system, log: memoryLog() });
  leave('work', () => instances.edit('work', choice));
  expect(secrets.has('http://links.example')).toBe(false);
  expect(sent).toEqual([]);
  instances.edit('work', { ...choice, allowsInsecure: true });
  await instances.keepKey('work', 'the key');
  leave('work', () => instances.remove('work'));
  await expect.poll(() => sent).toEqual(['http://links.example/api/auth/logout']);
});
