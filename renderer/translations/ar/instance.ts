import type { messages as source } from '../../operations/instance/messages.ts';
import { privacy } from './privacy.ts';

const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.privacy;

export const instance: (typeof source)['en'] = {
  instance: {
    fixed: 'ثابت',
    fixedWhy: 'عُيّن في سطر الأوامر أو في متغيرات البيئة.',
    forever: 'إلى الأبد',
    places: {
      title: 'أماكن الزوار',
      description: 'قاعدة البيانات التي تحدد أماكن الزوار.',
      source: 'المصدر',
      sources: { bundled: 'مرفقة بالبرنامج', started: 'محددة عند تشغيل الخادم', uploaded: 'مرفوعة' },
      type: 'الاسم',
      built: 'تاريخ النشر',
      knows: 'تعرف',
      levels: { countries: 'البلدان', regions: 'البلدان والمناطق', cities: 'البلدان والمناطق والمدن' },
      count: 'الأماكن',
      size: 'الحجم',
      upload: 'رفع قاعدة بيانات…',
      remove: 'إزالة المرفوعة',
      uploaded: 'تم تحديث قاعدة بيانات الأماكن',
      removed: 'أُزيلت القاعدة المرفوعة',
      none: 'لا توجد قاعدة بيانات مثبتة، لذا لا يُعرف بلد الزوار.',
      hint: 'تُقبل ملفات MMDB حتى 256 م.ب، مثل ملفات MaxMind أو DB-IP. يبقى الملف بعد إعادة التشغيل، وليس جزءًا من النسخ الاحتياطية. ولعُقد الأسطول قواعدها الخاصة.',
    },
    groups: {
      network: { title: 'الشبكة', description: 'العناوين وDNS والوكلاء الموثوقون.' },
      ssl: {
        title: 'النطاقات والشهادات',
        description: 'كيفية فحص نطاقات العلامة وتأمينها.',
      },
      people: { title: 'الأشخاص والحدود', description: 'التسجيل وحدود الطلبات.' },
      privacy: { title: 'الخصوصية', description: 'ما يُخزَّن عن الزوار.' },
    },
    fields: {
      baseUrl: {
        label: 'عنوان URL العام',
        help: 'أساس الروابط القصيرة. يُترك فارغًا لاستخدام العنوان الذي يستمع إليه الخادم.',
      },
      sharing: {
        label: 'المشاركة في هذه الشبكة',
        help: 'يمكن للأجهزة الأخرى على الشبكة استخدام المثيل.',
      },
      publicAddresses: {
        label: 'العناوين العامة',
        help: 'حيث يجب أن تشير نطاقات العلامة: عناوين IP أو اسم مضيف، واحد في كل سطر.',
      },
      dnsServers: {
        label: 'خوادم DNS',
        help: 'تُستخدم لفحص النطاقات، واحد في كل سطر. يُترك فارغًا لاستخدام خوادم النظام.',
      },
      trustedProxies: {
        label: 'الوكلاء الموثوقون',
        help: 'تُعدّ ترويسة X-Forwarded-For منهم موثوقة. عنوان أو نطاق عناوين واحد في كل سطر.',
      },
      allowedPrivateRanges: {
        label: 'الشبكات الخاصة المسموح بها',
        help: 'شبكات خاصة يمكن لـ Waypost جلب الصور وعناوين الصفحات منها.',
      },
      ssl: {
        mode: { label: 'الشهادات', help: 'من يوفر HTTPS لنطاقات العلامة.' },
        acmeEmail: {
          label: 'البريد الإلكتروني للسلطة',
          help: 'قد تنبّهك قبل انتهاء شهادة.',
        },
        acmeDirectory: { label: 'دليل ACME', help: 'عنوان URL لسلطة التصديق.' },
      },
      domainSyncMinutes: { label: 'الفاصل بين الفحوص (بالدقائق)', help: 'معدل فحص النطاقات الجديدة.' },
      registration: { label: 'الحسابات الجديدة', help: 'من يمكنه إنشاء حساب.' },
      defaultPlan: { label: 'خطة الحسابات الجديدة', help: 'ما لم تحدد الدعوة غير ذلك.' },
      ratelimit: { label: 'الطلبات في الدقيقة', help: 'لكل مفتاح API ليس له حد خاص.' },
      maxUploadMb: { label: 'أكبر ملف (م.ب)', help: 'تُرفض الملفات الأكبر.' },
      privacy: {
        noReferrer,
        noBrowser,
        noPlace,
        noSignedIn,
        keep: { label: keep.label, help: keep.help },
        storeAddresses: {
          label: 'تخزين عناوين IP للزوار',
          help: 'تظهر مع كل زيارة. عند الإيقاف تُحذف العناوين المخزّنة خلال ساعة.',
        },
        doNotTrack: {
          label: 'احترام «عدم التتبع»',
          help: 'يُستجاب للزيارات التي تطلب عدم التتبع، لكنها لا تُسجَّل.',
        },
        uncountedAddresses: {
          label: 'عدم الاحتساب',
          help: 'الزيارات من عناوين IP أو نطاقات العناوين هذه، واحد في كل سطر.',
        },
      },
      retentionDays: {
        label: 'الاحتفاظ بالنقرات المفردة (بالأيام)',
        help: 'تبقى المجاميع. يُترك فارغًا للاحتفاظ بها إلى الأبد.',
      },
      backup: {
        enabled: { label: 'نسخ احتياطي يومي', help: 'يجري تلقائيًا أثناء عمل الخادم.' },
        hour: { label: 'الساعة', help: 'كل يوم، بالمنطقة الزمنية للخادم.' },
        keepDaily: { label: 'الاحتفاظ بالنسخ اليومية (بالأيام)', help: 'الأحدث من كل يوم.' },
        keepWeekly: {
          label: 'الاحتفاظ بالنسخ الأسبوعية (بالأسابيع)',
          help: 'الأحدث من كل أسبوع قبل ذلك.',
        },
        folder: {
          label: 'المجلد',
          help: 'على الخادم. يُترك فارغًا لحفظ النسخ بجوار قاعدة البيانات.',
        },
      },
    },
    options: {
      keep: {
        clicks: 'النقرات بتفاصيلها',
        counts: 'العدد فقط',
        nothing: 'لا شيء إطلاقًا',
      },
      ssl: {
        off: 'بلا: HTTP غير مشفّر',
        external: 'يديرها وكيل عكسي',
        local: 'سلطة تصديق مدمجة (الشبكة المحلية)',
        acme: 'Let’s Encrypt أو سلطة ACME أخرى',
      },
      registration: {
        closed: 'المسؤولون فقط',
        invitation: 'بالدعوة فقط',
        open: 'الجميع',
      },
    },
  },
};
