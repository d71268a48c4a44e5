// Shows an offline page when the server is unreachable. Caches nothing: all pages, scripts and responses come from the
// server, so that it can neither show outdated content nor delay an update. Its scope is /admin/; it does not affect
// short links.

const sentences = {
  en: ['Waypost can’t be reached', 'Check your connection, or whether the server is running.', 'Try again'],
  de: [
    'Waypost ist nicht erreichbar',
    'Bitte die Verbindung prüfen, und ob der Server läuft.',
    'Erneut versuchen',
  ],
  fr: ['Waypost est injoignable', 'Vérifiez votre connexion, et si le serveur fonctionne.', 'Réessayer'],
  es: [
    'No se puede acceder a Waypost',
    'Comprueba tu conexión y si el servidor está en marcha.',
    'Reintentar',
  ],
  pt: [
    'Não é possível acessar o Waypost',
    'Verifique a sua conexão e se o servidor está em execução.',
    'Tentar de novo',
  ],
  ar: ['تعذّر الوصول إلى Waypost', 'يُرجى التحقق من الاتصال ومن أن الخادم يعمل.', 'إعادة المحاولة'],
};
/** The language of the page that registered this worker. */
const wanted = new URL(self.location.href).searchParams.get('language') ?? '';
const language = wanted in sentences ? wanted : 'en';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  // Start page requests while the worker is still starting.
  event.waitUntil(self.registration.navigationPreload?.enable());
});
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(pageOf(event));
});

async function pageOf(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return new Response(offlinePage(event.request.url), {
      status: 503,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      },
    });
  }
}

/** The offline page, with a button that retries the same URL. */
function offlinePage(address) {
  const [title, help, again] = sentences[language];
  const { pathname, search } = new URL(address);
  const to = (pathname + search).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fff,#18181b);color:light-dark(#18181b,#f4f4f5)}
body{margin:0;min-height:100dvh;display:grid;place-items:center}
main{max-width:26rem;padding:2rem;text-align:center}
h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0 0 1.5rem;color:light-dark(#52525b,#a1a1aa)}
a{display:inline-block;padding:.625rem 1.25rem;border-radius:.375rem;background:#4f46e5;color:#fff;text-decoration:none;font-weight:500}
a:focus-visible{outline:2px solid #4f46e5;outline-offset:2px}
</style>
</head>
<body><main><h1>${title}</h1><p>${help}</p><a href="${to}">${again}</a></main></body>
</html>
`;
}
