// The native SQLite module crashes on older versions, so the version is looked at before anything loads it.
const wanted = 22;
const running = Number(process.versions.node.split('.')[0]);

if (running < wanted) {
  process.stderr.write(
    `Waypost needs Node ${wanted} or newer; this is ${process.versions.node}. Start it by npm.\n`,
  );
  process.exit(1);
} else {
  const { start } = await import('./start.ts');
  await start(process.argv.slice(2));
}
