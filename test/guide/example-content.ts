/**
 * What the example data has besides links and clicks, made through the interface as a person would make it. Returns a
 * session token, the code of an invitation into a team, the id of that team, the paths of public statistics pages,
 * `locked` of one with a password, and the id of a link with saved cases.
 */
export async function exampleContent(
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<{
  token: string;
  invitation: string;
  team: string;
  statistics: string;
  locked: string;
  tested: string;
}> {
  const post = async (path: string, body: unknown, token?: string) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const reply = (await response.json()) as {
      message?: string;
      id?: number;
      code?: string;
      data?: { token?: string };
    };
    if (!response.ok) throw new Error(`${path} was refused: ${JSON.stringify(reply)}`);
    return reply;
  };
  const { data } = await post('/auth/login', { login: username, password, device: 'Firefox on Linux' });
  const token = data?.token ?? '';
  const add = (path: string, body: unknown) => post(path, body, token);

  await add('/bio/add', {
    name: 'Northwind Coffee',
    alias: 'northwind',
    title: 'Northwind Coffee',
    description: 'Small roastery by the harbour. Open Tuesday to Sunday.',
    blocks: [
      { type: 'heading', text: 'This week' },
      { type: 'link', title: 'Order beans', url: 'https://shop.northwind-coffee.example/', highlight: true },
      { type: 'link', title: 'Book a tasting', url: 'https://northwind-coffee.example/tasting' },
      { type: 'text', text: 'Fresh roasts every Thursday morning.' },
      {
        type: 'socials',
        items: [
          { network: 'instagram', url: 'https://instagram.com/northwind.example' },
          { network: 'youtube', url: 'https://youtube.com/@northwind.example' },
        ],
      },
      { type: 'contact', title: 'Write to us', button: 'Send' },
    ],
  });
  await add('/bio/add', { name: 'Conference tour', alias: 'tour', title: 'Meet us', blocks: [] });
  await add('/qr/add', {
    name: 'Shop window',
    type: 'link',
    data: 'https://shop.northwind-coffee.example/',
    foreground: '#1E3A5F',
  });
  await add('/qr/add', {
    name: 'Guest Wi-Fi',
    type: 'wifi',
    data: { ssid: 'Northwind Guests', encryption: 'WPA', password: 'freshly-roasted' },
  });
  await add('/overlay/add', {
    name: 'Newsletter in spring',
    type: 'newsletter',
    content: { title: 'New roasts by mail', button: 'Subscribe' },
  });
  await add('/overlay/add', {
    name: 'Which roast next?',
    type: 'poll',
    content: { question: 'Which roast next?', answers: ['Ethiopia', 'Colombia', 'Sumatra'] },
  });
  const splash = await add('/splash/add', {
    name: 'Summer sale',
    title: 'You are on the way to the sale',
    message: 'Everything for filter coffee is reduced until Sunday.',
    counter: 5,
  });
  const sale = await add('/url/add', {
    url: 'https://shop.northwind-coffee.example/sale',
    custom: 'sale',
    type: String(splash.id),
  });
  await add(`/url/${sale.id}/case/add`, { name: 'Guest from Berlin', visitor: { country: 'DE' } });
  await add(`/url/${sale.id}/case/add`, { name: 'Regular on a phone', visitor: { device: 'iPhone' } });
  await add('/url/add', {
    url: 'https://shop.northwind-coffee.example/members',
    custom: 'members',
    password: 'freshly-roasted',
  });
  await add('/pixel/add', { type: 'gapixel', name: 'Site statistics', tag: 'G-EXAMPLE123' });
  await add('/webhook/add', {
    url: 'https://hooks.northwind-coffee.example/waypost',
    events: ['link.created'],
  });
  await add('/key/add', { name: 'Build server', scopes: ['links:read', 'links:write'] });
  await add('/user/add', {
    username: 'amir',
    email: 'amir@northwind-coffee.example',
    password: 'a long example',
  });

  const upload = await fetch(`${origin}/api/files/upload/price-list.pdf?name=Price%20list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: '%PDF-1.4 example',
  });
  if (!upload.ok) throw new Error(`the upload was refused: ${await upload.text()}`);
  const shown = await fetch(`${origin}/api/account/update`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ public: true }),
  });
  if (!shown.ok) throw new Error(`the profile was not made public: ${await shown.text()}`);
  const team = await add('/team/add', { name: 'Northwind roasters' });
  const { code = '' } = await add(`/team/${team.id}/invite`, { role: 'editor', uses: 5 });
  await joinAsAmir(code);
  const share = async (id: number, how: object) => {
    const shared = await fetch(`${origin}/api/url/${id}/statspage`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ on: true, ...how }),
    });
    const page = (await shared.json()) as { data: { url: string } };
    return new URL(page.data.url).pathname;
  };
  const statistics = await share(1, { referrers: true });
  const locked = await share(2, { password: 'freshly-roasted' });
  return { token, invitation: code, team: String(team.id), statistics, locked, tested: String(sale.id) };

  async function joinAsAmir(invitation: string): Promise<void> {
    const { data: amir } = await post('/auth/login', { login: 'amir', password: 'a long example' });
    await post('/team/join', { code: invitation }, amir?.token);
  }
}
