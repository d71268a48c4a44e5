import { gapsOf, readSections } from './gaps.ts';

// `npm run conformance`: what of the published contract no test covers. Fails for sections that claim to be complete.
const sections = await readSections();
const gaps = gapsOf(sections);
for (const { section, row, problem, closed } of gaps) {
  process.stdout.write(`${closed ? 'missing' : 'open   '}  ${section}  ${row}\n           ${problem}\n`);
}
for (const { name, closed, rows } of sections) {
  const open = gaps.filter((gap) => gap.section === name).length;
  process.stdout.write(
    `${closed ? 'closed' : 'open  '}  ${name}: ${rows.length} rules${open > 0 ? `, ${open} gaps` : ''}\n`,
  );
}
const missing = gaps.filter((gap) => gap.closed).length;
process.stdout.write(`${missing} rules of closed sections without their test\n`);
process.exitCode = missing > 0 ? 1 : 0;
