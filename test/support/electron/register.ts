// Loaded before the app's main bundle: from here on, `electron` is the stand-in beside this file.
import { registerHooks } from 'node:module';

const standIn = new URL('./module.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
