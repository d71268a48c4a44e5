/** The host, with its port if there is one, of an address such as `https://go.example.com`. */
export function hostOf(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
