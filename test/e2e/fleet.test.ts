import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { runningClock } from '../support/clock.ts';
import { fleetUrl, removeFolders, startEdge, type TestEdge, browser as visitor } from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startNats } from '../support/nats.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium() || !hasNats)('the settings of a fleet in the app', () => {
  let nats: NatsServer;
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  let edge: TestEdge | undefined;

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startApp({ baseUrl: fleetUrl, clock: runningClock() });
    server.app.startJobs();
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin, '/settings/fleet');
  });
  afterAll(async () => {
    await edge?.close();
    await browser?.close();
    await server?.close();
    await nats?.close();
    if (edge) removeFolders(edge);
  });

  test('an engine is entered, tested and saved, and an edge joins with the command that is shown once', async () => {
    await page.getByText('Turn on the fleet to add edges.').waitFor();
    await page.getByLabel('NATS server').fill('nats://127.0.0.1:9');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The NATS server isn’t responding at nats://127.0.0.1:9.').waitFor();
    await page.getByLabel('NATS server').fill(nats.url);
    await page.getByLabel('User', { exact: true }).fill(natsUsers.user);
    await page.getByLabel('Password', { exact: true }).fill(natsUsers.password);
    await page.getByLabel('User for edges').fill(natsUsers.edgeuser);
    await page.getByLabel('Password for edges').fill(natsUsers.edgepassword);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The NATS server responds and has everything a fleet needs.').first().waitFor();
    await page.getByRole('switch', { name: 'Use a fleet' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('[data-fleet-state]', { hasText: /^Connected$/ }).waitFor();
    // Secrets are never read back.
    expect(await page.content()).not.toContain(natsUsers.password);

    await page.getByRole('button', { name: 'Add edge' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Oslo');
    await form.getByLabel('Region').fill('North');
    await form.getByRole('button', { name: 'Add edge' }).click();
    const command = await page.locator('[data-command]').textContent();
    const token = /--join (\S+)/.exec(command ?? '')?.[1];
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Not joined yet').waitFor();

    const folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
    edge = await startEdge(server, { folder, token });
    const line = page.locator(`[data-edge="${edge.id}"]`);
    await line.getByText('Up to date').waitFor();
    await expect.poll(() => line.textContent()).toContain('127.0.0.1');
    await expectAccessible(page);
    await page.reload();
    await line.getByText('North').waitFor();
    await expect.poll(() => page.getByLabel('User', { exact: true }).inputValue()).toBe(natsUsers.user);
    expect(await page.content()).not.toContain(token);
  });

  test("a link's statistics show which machine responded, and can be filtered by one", {
    tags: 'long',
  }, async () => {
    const { body } = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.org/', custom: 'told' },
    });
    expect(body).toMatchObject({ error: 0 });
    await expect.poll(async () => (await edge?.visit('/told'))?.status).toBe(302);
    await fetch(`${server.origin}/told`, { redirect: 'manual', headers: visitor });
    const stats = async () => (await server.request('GET', `/api/url/${body.id}/stats`)).body.data.clicks;
    await expect.poll(stats, { timeout: 20_000, interval: 700 }).toBe(2);
    await page.goto(`${server.origin}/admin/links/${body.id}`);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Edges' }) }).last();
    await card.getByText('This server').waitFor();
    await card.getByRole('button', { name: 'Oslo' }).click();
    await page.waitForURL(/edge=Oslo/);
    await page.getByRole('button', { name: 'Remove filter Edge: Oslo' }).waitFor();
    await expectAccessible(page);
    await page.goto(`${server.origin}/admin/settings/fleet`);
  });

  test('a revoked edge no longer responds', async () => {
    const { body } = await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.org/', custom: 'shown' },
    });
    expect(body).toMatchObject({ error: 0 });
    await expect.poll(async () => (await edge?.visit('/shown'))?.status).toBe(302);
    await page.getByRole('button', { name: 'Revoke Oslo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await expect.poll(async () => (await edge?.visit('/shown'))?.status).toBe(503);
    expect(admin.complaints).toEqual([]);
  });
});
