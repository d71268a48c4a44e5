import type { messages as source } from '../../content/comparison/messages.ts';

export const comparison: (typeof source)['en'] = {
  comparison: {
    title: 'مقارنة الإحصاءات',
    name: 'الاسم',
    change: 'التغيّر',
    figure:
      '{name}: لا نقرات. | {name}: نقرة واحدة. | {name}: نقرتان. | {name}: {clicks} نقرات. | {name}: {clicks} نقرة. | {name}: {clicks} نقرة.',
    gone: 'لم يعد متاحًا',
    remove: 'إزالة {name}',
    removeColumn: 'إزالة',
    addLinks: 'إضافة روابط',
    addHint: 'يمكن مقارنة ما يصل إلى {n} في وقت واحد.',
    full: 'يمكن مقارنة {n} في وقت واحد.',
    empty: 'لا شيء للمقارنة بعد',
    emptyHint: 'يمكن اختيار ما يصل إلى {n} من الروابط أو الحملات أو القنوات لعرضها في رسم بياني واحد.',
    add: { campaign: 'إضافة حملة', channel: 'إضافة قناة' },
    short: { link: 'روابط', campaign: 'حملة', channel: 'قناة' },
  },
};
