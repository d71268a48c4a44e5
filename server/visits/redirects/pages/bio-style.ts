import type { BioFont, BioPalette, BioShape, BioTheme } from '../../../contract/bio-themes.ts';
import { contrastOf, mixed, softened } from '../../../contract/contrast.ts';
import { fontFaces, fontFamily } from './font.ts';

/** The style shared by all bio pages; the variables of `lookStyle` hold the differences. */
export const bioStyle = `
*{box-sizing:border-box}
html{background:var(--a);-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;background:linear-gradient(160deg,var(--a),var(--b)) no-repeat;color:var(--text);font:16px/1.5 var(--font);overflow-wrap:anywhere}
main{display:flex;flex-direction:column;gap:14px;max-width:36rem;margin:0 auto;padding:48px 20px 64px}
header{text-align:center;margin-bottom:10px}
h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
h2{margin:18px 0 0;font-size:1.0625rem;line-height:1.35;text-align:center;text-wrap:balance}
p{margin:0;white-space:pre-line}
header p{margin:8px auto 0;max-width:28rem;color:var(--soft);text-wrap:pretty}
.text{text-align:center;color:var(--soft)}
img{display:block;max-width:100%}
.avatar{width:96px;height:96px;margin:0 auto 16px;object-fit:cover;border-radius:50%}
.card{display:flex;align-items:center;gap:14px;min-height:60px;padding:10px max(16px,calc(var(--r)*.8));color:var(--on);background:var(--button);border:1px solid var(--line);border-radius:var(--r);box-shadow:var(--shadow);text-decoration:none}
.card>span{flex:1;min-width:0}.card b{display:block;font-weight:600}.card small{display:block;font-size:.8125rem;color:var(--onsoft)}
.card.plain{justify-content:center;text-align:center}
.card.strong{color:var(--strongon);background:var(--strong);border-color:var(--strongline)}.card.strong small{color:inherit}
.card img,.card svg{flex:none;width:44px;height:44px;object-fit:cover;border-radius:calc(var(--r)/2)}
.card svg{width:24px;height:24px;margin:0 10px}
a.card:hover,summary.card:hover,button.card:hover{border-color:var(--edge)}
a.card:active{transform:translateY(1px)}
.wide{overflow:hidden;padding:0 0 10px;flex-direction:column;align-items:stretch;gap:10px}
.wide img{width:100%;height:auto;aspect-ratio:16/9;border-radius:0}.wide>span{flex:none;padding:0 max(16px,calc(var(--r)*.8))}
.group{display:flex;flex-direction:column;gap:6px}.group>h2,.fold h2{margin-bottom:6px}
.fold{display:block}.fold>*+*{margin-top:14px}.fold>summary{position:relative;padding:10px 40px}.fold>summary h2,.fold>summary .here h2{margin:0}
.fold>summary::after{content:"";position:absolute;inset-inline-end:16px;top:50%;width:9px;height:9px;border:solid;border-width:0 2px 2px 0;transform:translateY(-70%) rotate(45deg)}
.fold[open]>summary::after{transform:translateY(-30%) rotate(-135deg)}
.shared{position:relative}.shared>.card{padding-inline-end:60px}
.share>summary{position:absolute;inset-inline-end:6px;top:8px;display:grid;place-items:center;width:44px;height:44px;color:var(--on);border-radius:50%}
.share svg{width:20px;height:20px}.strong~.share>summary{color:var(--strongon)}.wide~.share>summary,a.picture~.share>summary{background:var(--button)}
.shared>ul{padding-inline:56px}ul~.share>summary{top:2px;color:inherit}
.share>div{display:flex;flex-direction:column;align-items:center;gap:10px;padding:14px 0 4px}.share img{padding:8px;background:#fff;border-radius:8px}
.share input{margin:0;text-align:center}
.picture{width:100%;border-radius:var(--r)}a.picture{display:block;overflow:hidden}
hr{width:64px;margin:14px auto;border:0;border-top:2px solid var(--hair)}
ul{display:flex;flex-wrap:wrap;justify-content:center;gap:4px;margin:0;padding:0;list-style:none}
li a{display:grid;place-items:center;width:48px;height:48px;color:inherit;border-radius:50%}
li a:hover{background:var(--hair)}li svg{width:24px;height:24px}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
form{display:flex;flex-direction:column;gap:6px;padding:16px 0 4px}
label{font-size:.875rem;font-weight:600}
input,textarea{width:100%;min-height:44px;margin-bottom:8px;padding:10px 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:min(var(--r),12px)}
textarea{min-height:7.5rem;resize:vertical}
button.card{width:100%;font:inherit;font-weight:600;cursor:pointer}
.trap{position:absolute;left:-9999px}
html:has(.here){scroll-padding-top:96px}[inert] .here{scroll-initial-target:nearest;border-radius:var(--r);outline:2px dashed var(--text);outline-offset:4px}
:focus-visible{outline:2px solid var(--text);outline-offset:3px}
@media (prefers-reduced-motion:no-preference){.card{transition:border-color .15s,transform .1s}}
`;

const radii: Record<BioShape, string> = { rounded: '14px', pill: '30px', square: '0px' };
const fonts: Record<BioFont, string> = {
  sans: fontFamily,
  rounded: 'ui-rounded,"SF Pro Rounded","Hiragino Maru Gothic ProN",Quicksand,Nunito,system-ui,sans-serif',
  serif: 'ui-serif,Charter,"Bitstream Charter",Cambria,Georgia,serif',
  mono: 'ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace',
};
const shadows: Record<BioTheme['shadow'], string> = {
  none: 'none',
  soft: '0 1px 2px #0000000a,0 6px 20px #0000000f',
  hard: '4px 4px 0 var(--line)',
};

/** The CSS variables of a look. Its colors were validated as six digits when they were stored. */
export function lookStyle(look: BioTheme): string {
  const scheme = look.dark ? 'light dark' : isDark(look) ? 'dark' : 'light';
  const dark = look.dark ? `\n@media (prefers-color-scheme:dark){:root{${variables(look.dark)}}}` : '';
  const faces = look.font === 'sans' ? `\n${fontFaces}` : '';
  return `${faces}
:root{color-scheme:${scheme};--font:${fonts[look.font]};--r:${radii[look.shape]};--shadow:${shadows[look.shadow]};${variables(look)}}${dark}
`;
}

/** If a highlighted button would look like all others, it gets the background's colors and a border. */
const leastDifference = 1.6;

function variables({ ground, text, button, buttontext, line, accent }: BioPalette): string {
  const isLost = contrastOf(text, button) < leastDifference;
  const far = contrastOf(text, ground[0]) < contrastOf(text, ground[1]) ? ground[1] : ground[0];
  const [strong, strongText] = accent ?? (isLost ? [far, text] : [text, far]);
  const values: Record<string, string> = {
    a: ground[0],
    b: ground[1],
    text,
    soft: softened(text, ground),
    button,
    on: buttontext,
    onsoft: softened(buttontext, [button]),
    line,
    strong,
    strongon: strongText,
    strongline: accent ? strong : text,
    hair: mixed(text, ground[0], 0.15),
    edge: buttontext,
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

function isDark({ ground, text }: BioPalette): boolean {
  return contrastOf(ground[0], '#000000') < contrastOf(text, '#000000');
}
