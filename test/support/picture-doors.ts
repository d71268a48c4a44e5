import type { TestApp } from './app.ts';
import { addDomain } from './second-account.ts';

/** Submits the URL of a picture; returns the error code, or undefined if it is accepted. */
type Door = (url: string) => Promise<string | undefined>;

/** Every way to submit a picture's URL, by name. */
export function pictureDoors(server: TestApp): Record<string, Door> {
  const send = async (method: string, path: string, body: object) =>
    (await server.request(method, path, { body })).body;
  const saves =
    (method: string, path: string, bodyOf: (url: string) => object): Door =>
    async (url) =>
      (await send(method, path, bodyOf(url))).code;
  const previews =
    (path: string, bodyOf: (url: string) => object): Door =>
    async (url) =>
      (await send('POST', path, bodyOf(url))).data.problems[0]?.code;
  const domain = `/api/domain/${addDomain(server, 'pictures.example.com', 1)}/update`;
  const banner = (image: string) => ({ name: 'x', type: 'image', content: { image } });
  return {
    avatar: saves('PUT', '/api/account/update', (avatar) => ({ avatar })),
    'logo of a domain': saves('PUT', domain, (logo) => ({ logo })),
    'icon of a domain': saves('PUT', domain, (favicon) => ({ favicon })),
    overlay: saves('POST', '/api/overlay/add', banner),
    'overlay in a preview': previews('/api/overlay/preview', banner),
    'avatar of a splash page': saves('POST', '/api/splash/add', (avatar) => ({ name: 'x', avatar })),
    'banner of a splash page': saves('POST', '/api/splash/add', (image) => ({ name: 'x', banner: image })),
    'splash page in a preview': previews('/api/splash/preview', (avatar) => ({ avatar })),
    'avatar of a bio page': saves('POST', '/api/bio/add', (avatar) => ({ name: 'x', avatar })),
    'block of a bio page': saves('POST', '/api/bio/add', (image) => ({
      name: 'x',
      blocks: [{ type: 'image', image, alt: 'x', url: null }],
    })),
    'bio page in a preview': async (url) => {
      const { html } = (await send('POST', '/api/bio/preview', { name: 'x', avatar: url })).data;
      return html.includes('data:image/') ? undefined : 'not shown';
    },
    'logo of a QR code': saves('POST', '/api/qr/add', (logo) => ({ type: 'text', data: 'hello', logo })),
    'logo of a QR code in a preview': saves('POST', '/api/qr/preview', (logo) => ({
      type: 'text',
      data: 'hello',
      logo,
    })),
  };
}
