import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSections } from './conformance/gaps.ts';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
const sourceFolders = ['server', 'renderer', 'main', 'preload', 'build', 'test'];
const isSource = (name: string) => /\.(ts|mjs|vue|sql|md|yml|service)$/.test(name);

/** Files below a folder, by their path from the root. */
function filesBelow(folder: string): string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      // The packager installs packages of its own below build/.
      .filter((entry) => entry.isFile() && isSource(entry.name) && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  );
}

const documents = [...filesBelow('docs'), ...readdirSync(root).filter((name) => name.endsWith('.md'))];
const sources = sourceFolders.flatMap(filesBelow).filter((file) => file !== 'test/documents.test.ts');
const text = (file: string) => readFileSync(join(root, file), 'utf8');

/** What a pattern's first group finds in the sources and documents, each as `file: match`. */
function citations(
  pattern: RegExp,
  files: string[] = [...sources, ...documents],
): [file: string, cited: string][] {
  return files.flatMap((file) =>
    [...text(file).matchAll(pattern)].map(([, cited = '']): [string, string] => [file, cited]),
  );
}

const headings = (file: string) =>
  new Set([...text(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title));

describe('what code and tests cite', () => {
  test('decisions have a page', () => {
    const pages = new Set(readdirSync(join(docs, 'decisions')).map((name) => name.slice(0, 4)));
    const cited = citations(/\bdecisions? (\d{4})\b/g);
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(([, number]) => !pages.has(number))).toEqual([]);
  });

  test('threats and faults have a heading', () => {
    const ids = new Set([...headings('docs/threats.md')].map((title) => title.slice(0, 4)));
    const cited = citations(/\b([TF]-\d\d)\b/g);
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(([, id]) => !ids.has(id))).toEqual([]);
  });

  test('sections of the contract have a heading', () => {
    const titles = headings('docs/contract.md');
    const cited = citations(/\bcontract, "([^"]+)"/g);
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(([, title]) => !titles.has(title))).toEqual([]);
  });

  test('nothing is cited by section number', () => {
    expect(
      citations(/\b((?:decisions|contract|security page|security\.md),? (?:and )?sections? \d+)/gi),
    ).toEqual([]);
    expect(citations(/\b(security page|security\.md|decisions\.md)/g, sources)).toEqual([]);
  });
});

describe('the documents', () => {
  test('link to files and headings that exist', () => {
    const anchorOf = (title: string) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-');
    const broken = documents.flatMap((file) =>
      [...text(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path = '', anchor]) => {
          const target = path === '' ? file : join(dirname(file), path);
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && ![...headings(target)].some((title) => anchorOf(title) === anchor);
        })
        .map(([link]) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('number the decisions without gaps, and list each', () => {
    const pages = readdirSync(join(docs, 'decisions')).filter((name) => name !== 'README.md');
    expect(pages.map((name) => name.slice(0, 4))).toEqual(
      pages.map((_, index) => String(index + 1).padStart(4, '0')),
    );
    const list = text('docs/decisions/README.md');
    expect(pages.filter((name) => !list.includes(`(${name})`))).toEqual([]);
    for (const page of pages) {
      expect([...headings(`docs/decisions/${page}`)].slice(1), page).toEqual(['Context', 'Choice', 'Price']);
    }
  });

  test('name every endpoint that the conformance suite names', async () => {
    const rules = (await readSections())
      .flatMap(({ rows }) => rows.map(({ rule }) => rule))
      .filter((rule) => !rule.startsWith('Ours:'));
    const paths = rules.flatMap((rule) => rule.match(/\/api\/[\w:/]+/g) ?? []);
    const contract = text('docs/contract.md');
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !contract.includes(path))).toEqual([]);
  });
});
