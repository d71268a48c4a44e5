import type { messages as source } from '../../visits/privacy/messages.ts';

export const privacy: (typeof source)['en'] = {
  privacy: {
    title: 'خصوصية الزوار',
    description: 'ينطبق على الزيارات الجديدة لروابطك وصفحاتك ورموزك.',
    byInstance: 'حدّده المسؤول للجميع.',
    noReferrer: {
      label: 'عدم حفظ مصادر الإحالة',
      help: 'من أين يأتي الزوار.',
    },
    noBrowser: {
      label: 'عدم حفظ المتصفحات',
      help: 'المتصفح والنظام والجهاز واللغة.',
    },
    noPlace: {
      label: 'عدم حفظ الأماكن',
      help: 'البلد والمنطقة والمدينة وعنوان IP.',
    },
    keep: {
      label: 'ما يُحفظ من كل زيارة',
      help: 'مع العدد فقط لا يُعرف الزوار الفريدون. وتبقى النقرات المحفوظة سابقًا كما هي.',
      clicks: 'النقرات بتفاصيلها',
      counts: 'العدد فقط',
      nothing: 'لا شيء إطلاقًا',
    },
    own: {
      title: 'زياراتك أنت',
      description: 'افتح كل عنوان مرة واحدة في كل متصفح لا تريد احتسابه هناك.',
    },
    notKept: {
      intro: 'لا يُحفظ من الزيارات الجديدة: {what}',
      referrer: 'مصادر الإحالة',
      browser: 'المتصفحات والأنظمة والأجهزة واللغات',
      place: 'الأماكن',
      visitors: 'كل شيء عدا عددها',
      clicks: 'كل شيء',
    },
  },
};
