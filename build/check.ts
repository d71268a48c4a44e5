import { writeComponentTypes } from './component-types.ts';
import { runScript, runTool } from './processes.ts';

// `npm run check` runs all four checks even if one fails. They run one after another, because the type checker uses
// both cores and the others take only seconds.
await writeComponentTypes();
const results = {
  'format and lint': await runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  'import rules': await runScript('build/architecture.ts'),
  'unused code': await runTool('knip/bin/knip.js', ['--no-progress', '--config', 'build/knip.config.ts']),
  types: await runTool('vue-tsc/bin/vue-tsc.js', ['--build']),
};

const failed = Object.entries(results).filter(([, code]) => code !== 0);
for (const [name] of failed) process.stderr.write(`check: ${name} failed\n`);
if (failed.length === 0)
  process.stdout.write('check: format, lint, import rules, unused code and types are fine\n');
process.exitCode = failed.length === 0 ? 0 : 1;
