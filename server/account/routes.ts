import { getAccount, postAccount } from '../contract/account.ts';
import { type Route, route } from '../http/serve.ts';
import { presentAccount } from './presenter.ts';

interface Options {
  baseUrl: () => string;
}

/** The account that a key belongs to. */
export function accountRoutes({ baseUrl }: Options): Route[] {
  return [
    route(getAccount, ({ caller }) => ({ data: presentAccount(caller, baseUrl()) })),
    route(postAccount, ({ caller }) => ({ data: presentAccount(caller, baseUrl()) })),
  ];
}
