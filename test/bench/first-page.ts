import { get } from 'node:http';
import { chromium } from 'playwright';
import { launchOptions, provideChromium } from '../support/provision.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';

const wantedKilobytes = 300;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  print: (line: string) => void;
}

/**
 * How many bytes a new browser transfers for the first page (the sign-in page): everything that a real browser
 * requests. True if that is within the goal, or, with a notice, if there is no browser.
 */
export async function measureFirstPage({ folder, print }: Options): Promise<boolean> {
  if (!(await provideChromium())) return true;
  const server = await spawnServer(folder);
  const browser = await chromium.launch(launchOptions());
  try {
    await setUpAccount(server);
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(server.origin)) asked.push(request.url());
    });
    await page.goto(`${server.origin}/admin/`, { waitUntil: 'networkidle' });
    const sizes = await Promise.all(asked.map(bytesOf));
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
    print(
      `FIRST PAGE: ${kilobytes.toFixed(0)} kB in ${asked.length} requests, wanted at most ${wantedKilobytes}`,
    );
    return kilobytes <= wantedKilobytes;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The size of a body as transferred to browsers. */
function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}
