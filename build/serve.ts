import { ensureBuilt } from './freshness.ts';
import { runScript } from './processes.ts';

// `npm run serve -- …` and `npm run seed -- …`: the server bundle with these arguments, its exit code as it is.
process.exitCode = (await ensureBuilt()) || (await runScript('out/main/server.js', process.argv.slice(2)));
