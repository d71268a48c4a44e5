import { fileURLToPath } from 'node:url';
import ui from '@nuxt/ui/vite';
import vue from '@vitejs/plugin-vue';
import type { PluginOption } from 'vite';
import { componentParts } from './component-parts.ts';
import { pageSentences } from './page-sentences.ts';

/** Where the renderer's sources are; Nuxt UI writes its generated theme below it. */
export const rendererRoot = fileURLToPath(new URL('../renderer', import.meta.url));

/** The plugins that turn the renderer's sources into a page; builds and component tests use the same ones. */
export function rendererPlugins(): PluginOption[] {
  return [
    componentParts(),
    vue(),
    pageSentences(rendererRoot),
    ui({
      root: rendererRoot,
      router: true,
      // The theme is ours (frame/use-theme.ts).
      colorMode: false,
      // Composables are imported by name, so that a reader and the type checker see where they come from.
      autoImport: false,
      // The type declarations are written whole by prepare.ts; the plugin would only add what it has met.
      dts: false,
      components: {
        dts: false,
        // It puts a component's path between quotes as it is, and the checkout may lie below a folder such as O'Brien.
        importPathTransform: (path) => path.replaceAll("'", "\\'"),
      },
      icon: {
        // Icons travel in the bundle: the pages never ask a server on the internet for one.
        // By default only components are searched for their names; lists in .ts files name icons too.
        clientBundle: { scan: { globInclude: ['**/*.{vue,ts}'] }, sizeLimitKb: 256 },
      },
      ui: { colors: { primary: 'indigo', neutral: 'zinc' } },
    }),
  ];
}
