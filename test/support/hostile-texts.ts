/**
 * Texts that try to become markup, a script or an address (T-18). Where one of them gets through, it leaves an element
 * `x-pwned` or an attribute `data-pwned` behind, or calls `alert`, `console.error` or `fetch` with "pwned".
 */
export const hostileTexts: readonly string[] = [
  '<script>alert("pwned")</script>',
  '"><script>alert("pwned")</script>',
  "'><script>alert('pwned')</script>",
  '<img src=x onerror=alert("pwned") data-pwned>',
  '"><img src=x onerror=alert("pwned") data-pwned>',
  "'><img src=x onerror=alert('pwned') data-pwned>",
  '" onmouseover=alert("pwned") data-pwned="',
  "' onfocus=alert('pwned') autofocus data-pwned='",
  '` onload=alert("pwned") data-pwned=`',
  '</title><x-pwned>',
  '</style><x-pwned>',
  '</script><x-pwned>',
  '</textarea><x-pwned>',
  '</noscript><x-pwned>',
  '</iframe><x-pwned>',
  '</template><x-pwned>',
  '--><x-pwned><!--',
  ']]><x-pwned>',
  '<!--><x-pwned>',
  '<svg/onload=alert("pwned") data-pwned>',
  '<svg><animate onbegin=alert("pwned") attributeName=x data-pwned>',
  '<svg><a xlink:href="javascript:alert(1)" data-pwned>x</a></svg>',
  '<math><mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1) data-pwned&gt;">',
  '<iframe srcdoc="<script>parent.alert(1)</script>" data-pwned></iframe>',
  '<iframe src="javascript:alert(1)" data-pwned></iframe>',
  '<object data="javascript:alert(1)" data-pwned></object>',
  '<embed src="javascript:alert(1)" data-pwned>',
  '<base href="https://evil.example/" data-pwned>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/" data-pwned>',
  '<link rel="stylesheet" href="https://evil.example/pwned.css" data-pwned>',
  '<form action="https://evil.example/" data-pwned><button>Go</button></form>',
  '<button formaction="javascript:alert(1)" data-pwned>Go</button>',
  '<a href="javascript:alert(1)" data-pwned>x</a>',
  '<a href="data:text/html,<script>alert(1)</script>" data-pwned>x</a>',
  '<input onfocus=alert("pwned") autofocus data-pwned>',
  '<details open ontoggle=alert("pwned") data-pwned>',
  '<video><source onerror=alert("pwned") data-pwned></video>',
  '<body onload=alert("pwned") data-pwned>',
  '<style>@import "https://evil.example/pwned.css";</style><x-pwned>',
  '<div style="background:url(https://evil.example/pwned.png)" data-pwned>',
  'javascript:alert("pwned")',
  'JaVaScRiPt:alert("pwned")',
  'data:text/html,<x-pwned>',
  '&lt;script&gt;alert("pwned")&lt;/script&gt;',
  '&#60;x-pwned&#62;',
  '\\u003cx-pwned\\u003e',
  '\\"><x-pwned>',
  '{{constructor.constructor("alert(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant as it stands.
  '${alert("pwned")}',
  '{owner}{host}<x-pwned>',
  '%3Cx-pwned%3E',
  '＜x-pwned＞',
  '\u202E<x-pwned>\u202C',
  '<x-pwned',
  '<\u0130mg data-pwned>',
  '<<x-pwned>>',
  '"onclick=alert("pwned")//',
  "';alert('pwned');//",
  '";alert("pwned");//',
  '=HYPERLINK("https://evil.example")',
];

/**
 * Gives texts of a certain length that are put together from the list, each one going on where the last one ended, so
 * that over many fields every text comes to stand everywhere.
 */
export function hostileText(): (longest: number) => string {
  let next = 0;
  return (longest) => {
    let text = '';
    for (let tries = 0; tries < hostileTexts.length; tries += 1) {
      const piece = hostileTexts[next % hostileTexts.length] ?? '';
      if (text.length + piece.length > longest) {
        if (text !== '') break;
      } else {
        text += piece;
      }
      next += 1;
    }
    return text;
  };
}
