import type { LinkChange } from '../../contract/links.ts';
import { type Rule, type TargetType, targetTypeOf } from '../../contract/rules.ts';
import { rejected } from '../../platform/errors.ts';
import { countryCode, countryName } from './countries.ts';
import { deviceName, twoLetterLanguage } from './rules.ts';

/**
 * The contract's three target lists are shorthands for rules (decision 0022): a target is a rule with the one
 * condition "is". Sending a list replaces the rules of that form and leaves the others where they are.
 */
export function applyTargets(
  rules: readonly Rule[],
  change: Pick<LinkChange, 'geotarget' | 'devicetarget' | 'languagetarget'>,
  destination: (text: string, field: string) => string,
): Rule[] {
  let result = [...rules];
  const replace = (type: TargetType, targets: Rule[]) => {
    result = [...result.filter((rule) => targetTypeOf(rule) !== type), ...targets];
  };
  if (change.geotarget) {
    replace(
      'country',
      change.geotarget.map(({ location, link }, index) => {
        const value = countryCode(location);
        if (value === undefined) {
          const message = `"${location}" is not a country. Send its English name or ISO code.`;
          throw rejected('unknown_country', `geotarget.${index}.location`, message);
        }
        return target('country', value, destination(link, `geotarget.${index}.link`));
      }),
    );
  }
  if (change.devicetarget) {
    replace(
      'device',
      change.devicetarget.map(({ device, link }, index) => {
        const value = deviceName(device);
        if (value === undefined) {
          throw rejected(
            'unknown_device',
            `devicetarget.${index}.device`,
            `"${device}" is not a known device.`,
          );
        }
        return target('device', value, destination(link, `devicetarget.${index}.link`));
      }),
    );
  }
  if (change.languagetarget) {
    replace(
      'language',
      change.languagetarget.map(({ language, link }, index) => {
        const value = twoLetterLanguage(language);
        if (value === undefined) {
          const message = `"${language}" is not a language. Send its two-letter code.`;
          throw rejected('unknown_language', `languagetarget.${index}.language`, message);
        }
        return target('language', value, destination(link, `languagetarget.${index}.link`));
      }),
    );
  }
  return result;
}

/**
 * The rules of one shorthand as the contract's map: lower-case country name, device name or language code → address.
 */
export function presentTargets(rules: readonly Rule[], type: TargetType): Record<string, string> {
  const targets: Record<string, string> = {};
  for (const rule of rules) {
    if (targetTypeOf(rule) !== type) continue;
    const value = String(rule.conditions[0]?.value);
    const key = type === 'country' ? countryName(value) : type === 'device' ? value.toLowerCase() : value;
    // The first rule wins on the redirect path too.
    targets[key] ??= rule.link;
  }
  return targets;
}

function target(type: TargetType, value: string, link: string): Rule {
  return { conditions: [{ type, op: 'is', value }], link };
}
