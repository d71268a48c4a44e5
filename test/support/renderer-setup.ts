import { useToast } from '@nuxt/ui/composables/useToast';
import ui from '@nuxt/ui/vue-plugin';
import { config } from '@vue/test-utils';
import { afterEach, vi } from 'vitest';
import type { App } from 'vue';

/** What tests have mounted and not unmounted. */
const mounted = new Set<App>();

// Files share a worker, its modules and its document. `ui` as in renderer/main.ts: it brings the bundled icons, so that
// no component asks the network for one.
config.global.plugins = [ui, { install: remember }];

// happy-dom draws without a pause, so that an animation keeps the processor busy until it ends.
window.requestAnimationFrame = (callback) => Number(setTimeout(() => callback(performance.now()), 16));
window.cancelAnimationFrame = (frame) => clearTimeout(frame);

afterEach(() => {
  for (const app of mounted) app.unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
});

function remember(app: App): void {
  // Toasts outlive the app that shows them.
  app.runWithContext(() => useToast().clear());
  mounted.add(app);
  app.onUnmount(() => mounted.delete(app));
}
