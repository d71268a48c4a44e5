import { afterEach, expect, test, vi } from 'vitest';
import config from '../../electron.vite.config.ts';

afterEach(() => vi.unstubAllEnvs());

test('a build checks the given URL for updates, and URLs that others could answer for are rejected', () => {
  const build = () => config({ command: 'build', mode: 'production' });
  const feed = 'https://waypost.example/latest.json';
  vi.stubEnv('WAYPOST_UPDATE_FEED', feed);
  expect(build()).toMatchObject({ main: { define: { builtUpdateFeed: JSON.stringify(feed) } } });
  vi.stubEnv('WAYPOST_UPDATE_FEED', 'http://waypost.example/latest.json');
  expect(build).toThrow('Give an https:// URL, or leave it out.');
  vi.stubEnv('WAYPOST_UPDATE_FEED', '');
  expect(build()).toMatchObject({ main: { define: { builtUpdateFeed: '""' } } });
});
