import { describe, expect, it } from 'vitest';
import { previewDocument } from '../../../renderer/ui/preview-document.ts';

const html = `<!doctype html><html><head><style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){a{b:c}}</style></head>
<body><p>@media (prefers-color-scheme:dark) color-scheme:light dark</p></body></html>`;
const words = '<p>@media (prefers-color-scheme:dark) color-scheme:light dark</p>';

describe('a page in a preview', () => {
  it('does not open its links', () => {
    expect(previewDocument(html)).toContain('<head><base target="_blank">');
  });

  it('keeps the visitor’s color scheme unless told otherwise', () => {
    expect(previewDocument(html)).toContain('@media (prefers-color-scheme:dark){a{b:c}}');
  });

  it('is dark or light when told so, whatever the system prefers', () => {
    const dark = previewDocument(html, 'dark');
    expect(dark).toContain(':root{color-scheme:dark}@media all{a{b:c}}');
    const light = previewDocument(html, 'light');
    expect(light).toContain(':root{color-scheme:light}@media not all{a{b:c}}');
  });

  it("does not change users' text", () => {
    expect(previewDocument(html, 'dark')).toContain(words);
    expect(previewDocument(html, 'light')).toContain(words);
  });
});
