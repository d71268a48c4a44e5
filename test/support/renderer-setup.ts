import ui from '@nuxt/ui/vue-plugin';
import { config } from '@vue/test-utils';

// As in renderer/main.ts: the plugin brings the bundled icons, so that no component asks the network for one.
config.global.plugins.push(ui);
