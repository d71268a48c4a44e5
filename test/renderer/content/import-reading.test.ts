import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../renderer/content/import/csv-reading.ts';
import { shapeOf, unreadColumns } from '../../../server/contract/import-columns.ts';
import { fileRows, slicesOf } from '../../../server/contract/import-rows.ts';
import { csvOf } from '../../../server/platform/text/csv.ts';

async function read(content: string | Uint8Array<ArrayBuffer>) {
  return readCsv(new Blob([content]));
}

async function rowsOf(content: string) {
  const table = await read(content);
  const shape = shapeOf(table);
  return fileRows(table, shape, shape.mapping, 'UTC');
}

describe('reading a CSV file', () => {
  it("knows each record's line, across blank lines and quoted line breaks", async () => {
    const table = await read('Long URL,Title\n\nhttps://a.example,"two\r\nlines"\nhttps://b.example,one\n');
    expect(table.records.map((record) => [record.line, record.cells[0]])).toEqual([
      [1, 'Long URL'],
      [3, 'https://a.example'],
      [5, 'https://b.example'],
    ]);
  });

  it('reads the text before an unclosed quote, and reports where it is', async () => {
    const table = await read(
      'url,title\nhttps://a.example,fine\nhttps://b.example,"never closed\nhttps://c.example,lost',
    );
    expect(table.records).toHaveLength(2);
    expect(table.brokenFrom).toBe(3);
  });

  it('keeps characters whole in a file read in chunks', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `https://a.example/${index},Ünïcödé 🐙 ${index}`,
    );
    const table = await read(`url,title\n${lines.join('\n')}`);
    expect(table.records).toHaveLength(20_001);
    expect(table.records.some((record) => record.cells[1]?.includes('�'))).toBe(false);
  });

  it('reads semicolons, tabs, UTF-16, Windows-1252 and a byte order mark', async () => {
    expect((await read('url;title\nhttps://a.example;A, with comma')).records[1]?.cells).toEqual([
      'https://a.example',
      'A, with comma',
    ]);
    expect((await read('url\ttitle\nhttps://a.example\tA')).records[1]?.cells[1]).toBe('A');
    expect((await read('\uFEFFurl,title\nhttps://a.example,A')).records[0]?.cells[0]).toBe('url');
    const wide = new Uint8Array([0xff, 0xfe, ...[...'url,ä'].flatMap((letter) => [letter.charCodeAt(0), 0])]);
    expect((await read(wide)).records[0]?.cells).toEqual(['url', 'ä']);
    expect((await read(new Uint8Array([0x75, 0x2c, 0xfc]))).records[0]?.cells).toEqual(['u', 'ü']);
  });

  it('can be cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(readCsv(new Blob(['url\nhttps://a.example']), { signal })).rejects.toThrow('given up');
  });
});

describe('recognizing columns', () => {
  it('recognizes a Shlink export, whatever the order, case and spaces of its header', async () => {
    const shape = shapeOf(
      await read('TITLE, short  code ,long url,Domain,TAGS\nAnalog,analog,https://a.example,,a|b'),
    );
    expect(shape.format).toBe('shlink');
    expect(shape.mapping).toEqual({ title: 0, alias: 1, url: 2, domain: 3, tags: 4 });
  });

  it('recognizes the column names of other services', async () => {
    const shape = shapeOf(
      await read('keyword,url,title,timestamp\nx,https://a.example,A,2024-01-02 03:04:05'),
    );
    expect(shape.format).toBe('csv');
    expect(shape.mapping).toEqual({ alias: 0, url: 1, title: 2, date: 3 });
  });

  it('finds the URLs in a file without a header', async () => {
    const shape = shapeOf(await read('spring,https://a.example\nsummer,https://b.example'));
    expect(shape).toMatchObject({ hasHeader: false, mapping: { url: 1 } });
  });

  it('asks for the mapping if nothing looks like a URL', async () => {
    expect(shapeOf(await read('foo,bar\n1,2')).mapping.url).toBeUndefined();
  });
});

describe('rows of a file', () => {
  it('splits tags at bars or commas, once each', async () => {
    const rows = await rowsOf(
      'Long URL,Tags,Short code\nhttps://a.example,a|b|a,x\nhttps://b.example,"c, d",y',
    );
    expect(rows.map((row) => row.row.tags)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('extracts the alias from a complete short URL', async () => {
    const rows = await rowsOf('Long URL,Short URL\nhttps://a.example,https://go.example/spring%20sale');
    expect(rows[0]?.row.alias).toBe('spring sale');
  });

  it('keeps the whole path of a short URL, with and without its scheme', async () => {
    const aliases = async (file: string) => (await rowsOf(file)).map(({ row }) => row.alias);
    expect(await aliases('Long URL,Short URL\nhttps://a.example,https://go.example/docs/start?a=b')).toEqual([
      'docs/start',
    ]);
    expect(
      await aliases('long_url,bitlink\nhttps://a.example,bit.ly/3abc\nhttps://b.example,bit.ly/a/b'),
    ).toEqual(['3abc', 'a/b']);
    expect(await aliases('Long URL,Alias\nhttps://a.example,menu.pdf/one')).toEqual(['menu.pdf/one']);
  });

  it("reads expiry dates in other services' formats, and leaves unknown ones for the server to reject", async () => {
    const ends = [
      '1830000000',
      '1709251200000',
      'never',
      '0000-00-00 00:00:00',
      '31.12.2027',
      '2027-12-31',
      '',
    ];
    const rows = await rowsOf(
      `Long URL,Expires\n${ends.map((end) => `https://a.example,${end}`).join('\n')}`,
    );
    expect(rows.map(({ row }) => row.expiry)).toEqual([
      '2027-12-28 13:20:00',
      '2024-03-01 00:00:00',
      undefined,
      undefined,
      '31.12.2027',
      '2027-12-31',
      undefined,
    ]);
  });

  it('recognizes the columns of Kutt', async () => {
    const [first] = await rowsOf(
      'address,target,expire_in\nspring,https://a.example,2027-05-03T04:05:06.000Z',
    );
    expect(first?.row).toEqual({ url: 'https://a.example', alias: 'spring', expiry: '2027-05-03 04:05:06' });
  });

  it('skips a settings column that has plain text, and names it', async () => {
    const table = await read(
      'Long URL,Settings,Owner\nhttps://a.example,cloaked,Ann\nhttps://b.example,,Ben',
    );
    const shape = shapeOf(table);
    expect(shape.mapping.settings).toBeUndefined();
    expect(unreadColumns(shape, shape.mapping)).toEqual(['Settings', 'Owner']);
    expect(fileRows(table, shape, shape.mapping, 'UTC').map(({ fault }) => fault)).toEqual([
      undefined,
      undefined,
    ]);
    const ours = await read(
      'Long URL,Settings\nhttps://a.example,"{""redirect"":301}"\nhttps://b.example,odd',
    );
    const rows = fileRows(ours, shapeOf(ours), shapeOf(ours).mapping, 'UTC');
    expect(rows.map(({ row, fault }) => fault ?? row.settings)).toEqual([
      { redirect: 301 },
      'broken_settings',
    ]);
  });

  it('removes the apostrophe that prevents formulas, and no other', async () => {
    const texts = ['-dash', '=1+1', '+1', '@home', "'-quoted", "''=twice", "'tis", 'plain', "it's - fine"];
    const file = csvOf(
      ['Long URL', 'Title', 'Note', 'Tags'],
      texts.map((text) => ['https://a.example', text, text, `${text}|other`]),
    );
    expect((await rowsOf(file)).map(({ row }) => [row.title, row.note, row.tags])).toEqual(
      texts.map((text) => [text, text, [text, 'other']]),
    );
  });

  it('reads an empty domain and DEFAULT as the default domain', async () => {
    const rows = await rowsOf(
      'Long URL,Short code,Domain\nhttps://a.example,x,\nhttps://b.example,y,DEFAULT',
    );
    expect(rows.map((row) => row.row.domain)).toEqual([undefined, undefined]);
  });

  it("converts timestamps with an offset to the account's time zone", async () => {
    const table = await read('Long URL,Short code,Created at\nhttps://a.example,x,2024-06-01T22:30:00+00:00');
    const shape = shapeOf(table);
    const rows = fileRows(table, shape, shape.mapping, 'Europe/Berlin');
    expect(rows[0]?.row.date).toBe('2024-06-02 00:30:00');
  });

  it('marks rows that cannot be sent', async () => {
    const rows = await rowsOf(
      `url,title\n,nothing\nhttps://a.example/${'x'.repeat(20_000)},long\nhttps://a.example,ok`,
    );
    expect(rows.map((row) => [row.line, row.fault])).toEqual([
      [2, 'no_url'],
      [3, 'url_too_long'],
      [4, undefined],
    ]);
  });

  it('splits requests by rows and by size', async () => {
    const many = await rowsOf(
      ['url', ...Array.from({ length: 401 }, (_, at) => `https://a.example/${at}`)].join('\n'),
    );
    expect(slicesOf(many).map((slice) => slice.length)).toEqual([200, 200, 1]);
    const large = await rowsOf(
      ['url', ...Array.from({ length: 100 }, (_, at) => `https://a.example/${at}${'x'.repeat(15_000)}`)].join(
        '\n',
      ),
    );
    expect(slicesOf(large).length).toBeGreaterThan(1);
    expect(slicesOf(large).flat()).toHaveLength(100);
  });
});
