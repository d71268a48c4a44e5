import './style.css';
import ui from '@nuxt/ui/vue-plugin';
import { PiniaColada } from '@pinia/colada';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { apiClient, installClient } from './api/client.ts';
import { useConnectionStore } from './api/connection.ts';
import { useInstanceStore } from './api/instance.ts';
import { installLiveEvents } from './api/live.ts';
import { useRateWait } from './api/rate-wait.ts';
import { storedTokens } from './api/session-token.ts';
import { browserTransport, desktopTransport } from './api/transport.ts';
import { installUploads } from './api/uploads.ts';
import { translations } from './catalogue.ts';
import { useSessionStore } from './identity/session/session.ts';
import { fetchPageAhead, pageRouter } from './router.ts';

const app = createApp(App);
app.use(createPinia());
app.use(PiniaColada, { queryOptions: { staleTime: 10_000, gcTime: 300_000 } });

const instance = useInstanceStore();
const connection = useConnectionStore();
const rateWait = useRateWait();
const session = useSessionStore();

const transport = window.desktop
  ? desktopTransport(window.desktop)
  : browserTransport((input, init) => fetch(input, init), storedTokens(localStorage));
installClient(
  apiClient({
    transport,
    instanceId: () => instance.currentId,
    onWait: rateWait.begin,
    onUnauthorized: (instanceId) => instanceId === instance.currentId && session.noteRefusal(),
    onReached: (instanceId, reached, code) =>
      instanceId === instance.currentId && connection.note(reached, code),
  }),
  (instanceId, onWait) => apiClient({ transport, instanceId: () => instanceId, ...(onWait && { onWait }) }),
);
installLiveEvents(transport);
installUploads({
  transport,
  instanceId: () => instance.currentId,
  onUnauthorized: (instanceId) => instanceId === instance.currentId && session.noteRefusal(),
});

app.use(translations());
const router = pageRouter();
fetchPageAhead(router);
app.use(router);
app.use(ui);

await instance.learn(window.desktop);
// Asked before the first picture is drawn, so that the answer is there after it.
const begun = session.begin();
app.mount('#app');
await begun;
