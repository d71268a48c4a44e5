import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { type CsvTable, csvDelimiters, csvRecords } from '../../contract/csv-table.ts';
import { CommandFailed, commandCodes } from './command.ts';

/** Reads a CSV file; `-` is standard input. UTF-8, UTF-16 with a mark, else Windows-1252. Throws CommandFailed. */
export function readCsvFile(file: string): CsvTable {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch {
    throw new CommandFailed(commandCodes.failed, `The file ${file} cannot be read.`);
  }
  const { data, errors } = Papa.parse<string[]>(decoded(bytes), {
    skipEmptyLines: false,
    delimitersToGuess: csvDelimiters,
  });
  const reading = csvRecords();
  reading.take(data, errors);
  return reading.table();
}

function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // No UTF-8, so one byte a character; Windows-1252 is by far the most common.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
