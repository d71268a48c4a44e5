import { fileURLToPath } from 'node:url';
import ui from '@nuxt/ui/vite';
import vue from '@vitejs/plugin-vue';
import type { PluginOption } from 'vite';
import { componentParts } from './component-parts.ts';
import { pageSentences } from './page-sentences.ts';

/** The renderer's source folder; Nuxt UI writes its generated theme below it. */
export const rendererRoot = fileURLToPath(new URL('../renderer', import.meta.url));

/** Vite plugins for the renderer, shared by builds and component tests. */
export function rendererPlugins(): PluginOption[] {
  return [
    componentParts(),
    vue(),
    pageSentences(rendererRoot),
    ui({
      root: rendererRoot,
      router: true,
      // We implement the theme ourselves (frame/use-theme.ts).
      colorMode: false,
      // Import composables explicitly, so that readers and the type checker can see their origin.
      autoImport: false,
      // prepare.ts writes complete type declarations; the plugin would only add components seen so far.
      dts: false,
      components: {
        dts: false,
        // The plugin does not escape paths in quotes, and the checkout may be below a folder such as O'Brien.
        importPathTransform: (path) => path.replaceAll("'", "\\'"),
      },
      icon: {
        // Bundle the icons, so that pages never fetch them from a server on the internet. By default only components
        // are scanned for names, but .ts files contain some too.
        clientBundle: { scan: { globInclude: ['**/*.{vue,ts}'] }, sizeLimitKb: 256 },
      },
      ui: { colors: { primary: 'indigo', neutral: 'zinc' } },
    }),
  ];
}
