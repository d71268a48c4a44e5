import './style.css';
import ui from '@nuxt/ui/vue-plugin';
import { PiniaColada } from '@pinia/colada';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './App.vue';
import { apiClient, installClient } from './api/client.ts';
import { useConnectionStore } from './api/connection.ts';
import { ignoreRejection } from './api/ignore-rejection.ts';
import { scopeOf, useInstanceStore } from './api/instance.ts';
import { installLiveEvents } from './api/live.ts';
import { useRateWait } from './api/rate-wait.ts';
import { storedTokens } from './api/session-token.ts';
import { browserTransport, desktopTransport } from './api/transport.ts';
import { installUploads } from './api/uploads.ts';
import { loadFrame } from './frame/load-frame.ts';
import { useSessionStore } from './identity/session/session.ts';
import { showLanguage } from './language.ts';
import { fetchOnApproach, fetchPageAhead, pageRouter } from './router.ts';
import { translations } from './ui/sentences.ts';
import { useLanguage } from './ui/use-language.ts';

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
    account: () => instance.team,
    onWait: rateWait.begin,
    onUnauthorized: (instanceId) => instanceId === instance.currentId && session.noteRefusal(),
    onAccountLost: (instanceId, account) =>
      instanceId === instance.currentId && account === instance.team && session.leaveTeam(),
    onReached: (instanceId, reached, code) =>
      instanceId === instance.currentId && connection.note(reached, code),
  }),
  ({ instanceId, account }, onWait) =>
    apiClient({
      transport,
      instanceId: () => instanceId,
      account: () => account,
      ...(onWait && { onWait }),
    }),
);
installLiveEvents(transport, (from) => scopeOf(from) === instance.scope && void session.look());
installUploads({
  transport,
  destination: () => instance.destination,
  onUnauthorized: (instanceId) => instanceId === instance.currentId && session.noteRefusal(),
});

app.use(translations());
const router = pageRouter();
fetchPageAhead(router);
fetchOnApproach(router);
app.use(router);
app.use(ui);

// No top-level await: chunks loaded in the meantime import this module, which would be a deadlock.
void open();

async function open(): Promise<void> {
  await instance.learn(window.desktop);
  if (router.options.history.location === '/') instance.recallTeam();
  // Requested before the first render, so that the response arrives right after it.
  const begun = session.begin();
  // Preload the frame for signed-in users; others do not need it yet.
  if (session.mayHaveKey()) ignoreRejection(loadFrame());
  // Avoid a flash of English; if the translations cannot be loaded, use English.
  await showLanguage(useLanguage().language.value).catch(() => undefined);
  app.mount('#app');
  await begun;
}
