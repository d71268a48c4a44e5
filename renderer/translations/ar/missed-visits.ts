import type { messages as source } from '../../content/unmatched/messages.ts';

export const missedVisits: (typeof source)['en'] = {
  missed: {
    title: 'زيارات ضائعة',
    path: 'المسار',
    kind: 'النوع',
    kinds: {
      unknown: 'اسم مستعار غير معروف',
      bare: 'النطاق وحده',
      probe: 'محاولة استكشاف آلية',
    },
    visits: 'الزيارات',
    referrer: 'آخر مصدر إحالة',
    when: 'آخر زيارة',
    taken: 'له رابط الآن',
    create: 'إنشاء رابط',
    delete: 'حذف',
    deleteAll: 'حذف الكل',
    all: 'كل الأنواع',
    deleteAllTitle: 'حذف الزيارات الضائعة: {what}؟',
    deleteAllHelp: 'لا يمكن استعادتها. ولا تتغيّر إحصاءات الروابط.',
    deleted:
      'لم تُحذف أي زيارة | حُذفت زيارة واحدة | حُذفت زيارتان | حُذفت {n} زيارات | حُذفت {n} زيارة | حُذفت {n} زيارة',
    none: 'لا زيارات ضائعة',
    noneHelp: 'عندما يفتح أحدهم عنوان URL لا رابط له، يظهر هنا.',
  },
};
