import { HtmlValidate } from 'html-validate';
import { expect } from 'vitest';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // What is written in a page's style is the policy's affair; long pages are one line by design.
    'no-inline-style': 'off',
    // A splash page goes on by itself after some seconds; its button goes on at once.
    'meta-refresh': 'off',
    // A role is as good as the element of its name.
    'prefer-native-element': 'off',
  },
});

/** Fails with a list of errors if a page is not valid HTML (WHATWG), or violates a rule for accessible pages. */
export async function expectValidHtml(page: string): Promise<void> {
  const report = await validator.validateString(page);
  const faults = report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
  expect(faults).toEqual([]);
}
