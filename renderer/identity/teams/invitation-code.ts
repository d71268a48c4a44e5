/** The code in what somebody typed or pasted: the code itself, or the link of an invitation. '' where there is none. */
export function codeOf(text: string): string {
  const code = text.trim().split('#').at(-1) ?? '';
  return /^[\w-]{1,200}$/.test(code) ? code : '';
}
