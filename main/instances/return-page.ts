/** The page that the browser shows after redirecting back to the app, styled like the app. */
export function returnPage(title = 'Waypost', text = 'There is nothing here.'): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Waypost</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; text-align: center; }
h1 { margin: 0; font-size: 1.5rem; }
p { max-width: 28rem; margin: .5rem auto 0; overflow-wrap: anywhere; opacity: .8; }
</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
