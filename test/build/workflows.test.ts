// The workflows run on machines of others; what can be known of them without those is looked at here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../build/processes.ts';

const folder = join(projectRoot, '.github/workflows');
const workflows = readdirSync(folder).map(
  (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
);
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

test.each(workflows)('%s only runs scripts that exist', (_, text) => {
  const run = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(run.filter((name) => !(name in scripts))).toEqual([]);
  // Without an end of its own a job that hangs runs for six hours.
  const jobs = text.match(/runs-on:/g) ?? [];
  expect(text.match(/timeout-minutes: \d+/g)).toHaveLength(jobs.length);
});

test('the full fault tests run every night, and on request', () => {
  const text = workflows.find(([name]) => name === 'faults.yml')?.[1] ?? '';
  expect(text).toMatch(/- cron: "\d+ \d+ \* \* \*"\n {2}workflow_dispatch:\n/);
  expect(text).toContain('- run: npm run test:faults\n');
});
