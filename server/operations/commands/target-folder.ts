import { makeFolders } from '../../platform/database/make-folders.ts';
import { CommandFailed, commandCodes } from './command.ts';

/** Makes the folder that a command is to write into, if it is missing. Throws CommandFailed where that cannot be. */
export function makeTargetFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      commandCodes.failed,
      `The folder ${folder} cannot be created (${code}). Name another one.`,
    );
  }
}
