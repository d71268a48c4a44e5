import type { KnipConfig } from 'knip';

/**
 * What `npm run check` takes for used: what these files reach by imports, and what
 * the builds and package.json start from, which it knows by itself.
 */
const config: KnipConfig = {
  entry: [
    'build/*.ts',
    // Loaded as a thread of their own.
    'server/**/*-thread.ts',
    'test/**/*.test.ts',
    // Started as a program, or read by its place.
    'test/bench/redirects.ts',
    'test/bench/{bare.ts,watched-server.ts,watch-thread.mjs}',
    'test/conformance/{report.ts,rows/*.ts}',
    'test/guide/{look,pictures}.ts',
    'test/openapi-client/every-operation.ts',
    'test/support/{end-with-parent.mjs,package-checkout.ts,recorded-disk-process.ts,stoppable-job.ts}',
  ],
  project: ['{build,server,main,preload,renderer,test}/**/*.{ts,mjs,vue,css}'],
  compilers: {
    css: (text) =>
      [...text.matchAll(/@import ["']([^"']+)["']/g)].map(([, path]) => `import '${path}';`).join('\n'),
  },
  ignoreDependencies: [
    // QR captions read the outlines of their letters from these.
    '@fontsource/inter',
    '@fontsource/noto-sans-arabic',
    '@fontsource/noto-sans-hebrew',
    // Its file is found by its path, and read as it is.
    '@ip-location-db/geo-whois-asn-country-mmdb',
    // Nuxt UI takes the drawings of icons out of it by their names.
    '@iconify-json/lucide',
    // Types alone, which come with those of d3-geo and topojson-client.
    'geojson',
    'topojson-specification',
    // The types that the test of the OpenAPI document generates first.
    'openapi-paths',
    // `npm run check` starts it by its path.
    'vue-tsc',
  ],
  // Programs of the system that tests start; those that are missing are named by `test/support/provision.ts`.
  ignoreBinaries: [
    'fallocate',
    'gio',
    'ip',
    'mkfifo',
    'mkfs.ext4',
    'mount',
    'nats-server',
    'openssl',
    'truncate',
    'umount',
  ],
};

export default config;
