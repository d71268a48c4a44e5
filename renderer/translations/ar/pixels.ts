import type { messages as source } from '../../content/pixels/messages.ts';

export const pixels: (typeof source)['en'] = {
  pixels: {
    title: 'البكسلات',
    search: 'البحث في البكسلات',
    create: 'بكسل جديد',
    saved: 'تم حفظ البكسل',
    made: 'تم إنشاء «{name}»',
    deleted: 'تم حذف «{name}»',
    list: {
      name: 'البكسل',
      tag: 'الوسم',
      fires: 'ما يُحمَّل',
      links: 'الروابط',
      made: 'الإنشاء',
      actions: 'إجراءات {name}',
    },
    firesShort: {
      pictures: 'بلا صور | صورة واحدة | صورتان | {n} صور | {n} صورة | {n} صورة',
      script: 'سكربت',
    },
    empty: {
      title: 'إعادة استهداف زوارك',
      description:
        'يحمّل البكسل لوهلة وسم خدمة إعلانات أو تحليلات قبل إعادة التوجيه، فيمكن قياس الزوار وإعادة استهدافهم.',
    },
    actions: {
      open: 'ما يُحمَّل',
      edit: 'تعديل',
      copyTag: 'نسخ الوسم',
      links: 'عرض روابطه',
      delete: 'حذف',
    },
    confirm: {
      title: 'حذف «{name}»؟',
      description: 'يُزال من كل الروابط. لا يمكن التراجع عن ذلك.',
      action: 'حذف البكسل',
    },
    form: {
      newTitle: 'بكسل جديد',
      editTitle: 'تعديل البكسل',
      newDescription: 'إضافة وسم خدمة إعلانات أو تحليلات.',
      editDescription: 'تعديل اسم البكسل أو وسمه.',
      create: 'إنشاء البكسل',
      save: 'حفظ',
      type: 'الخدمة',
      typeFixed: 'لا يمكن تغيير الخدمة. يلزم إنشاء بكسل آخر لخدمة أخرى.',
      name: 'الاسم',
      namePlaceholder: 'المتجر، كل الزوار',
      nameRequired: 'يلزم إدخال اسم.',
      tag: 'الوسم',
      tagHelp: 'مثل {example}. ويمكن أيضًا لصق الشيفرة كاملة.',
      tagInvalid: 'يلزم إدخال المعرّف فقط، مثل {example}.',
      tagUnusual: 'تكون معرّفات {service} عادةً مثل {example}. لا يزال بإمكانك حفظ هذا.',
      taken: 'استُخرج من الشيفرة التي لصقتها.',
      find: 'أين يوجد',
    },
    page: {
      one: 'بكسل',
      missing: 'البكسل غير موجود',
      missingHint: 'ربما حُذف.',
      toList: 'كل البكسلات',
      back: 'العودة إلى كل البكسلات',
      edit: 'تعديل البكسل',
      what: 'ما يُحمَّل',
      whatHint: 'تحمّل صفحة هذا لكل زائر، ثم تعيد توجيهه إلى الوجهة.',
      where: 'أين يُحمَّل',
      links: 'الروابط التي تستخدمه',
      noLinks: 'لا يستخدمه أي رابط بعد. يمكن تحديده عند تعديل رابط، ضمن «البكسلات».',
      allLinks: 'عرض الكل ({n})',
      unknown: 'لا يبيّن هذا الخادم ما تحمّله بكسلاته.',
      full: 'وصول كامل',
      sandboxed: 'معزول',
    },
    fires: {
      picture: 'صورة: طلب واحد، بلا سكربتات',
      script: 'السكربت الخاص بالخدمة',
      copy: 'نسخ عنوان URL',
      pictureHosts: 'لا يُعاد توجيهها إلا إلى هذه المضيفات:',
      scriptHosts: 'لا يرسل البيانات إلا إلى هذه المضيفات:',
      anyHost: 'تحدد الحاوية ما يُحمَّل غير ذلك: يُسمح بأي عنوان URL من نوع https.',
    },
    where: {
      branded: 'الروابط على نطاقات علامتك',
      brandedText: 'وصول كامل: ترى الخدمة الزيارة كما في أي صفحة أخرى.',
      own: 'الروابط على {host}',
      ownPicture: 'معزول: تُطلب الصورة من صفحة لا تستطيع الوصول إلى واجهة الإدارة هذه. الطلب هو نفسه.',
      ownScript:
        'معزول: يعمل السكربت بلا ملفات تعريف ارتباط أو تخزين، في صفحة لا تستطيع الوصول إلى واجهة الإدارة هذه. قد تحسب بعض الخدمات عندئذٍ زيارات أقل.',
    },
    ofLink: {
      title: 'البكسلات',
      before: 'تُحمَّل لكل زائر قبل إعادة التوجيه.',
      within: 'تُحمَّل مع صفحة الرابط.',
      show: 'عرض ما يحمّله {name}',
    },
    field: {
      title: 'البكسلات',
      choose: 'اختيار بكسلات',
      chosen: 'بلا | بكسل واحد | بكسلان | {n} بكسلات | {n} بكسلًا | {n} بكسل',
      help: 'تُحمَّل لوهلة قبل إعادة التوجيه.',
      none: 'لا توجد بكسلات بعد.',
      make: 'إنشاء بكسل',
      notInPlan: 'لا تشمل خطتك البكسلات.',
    },
    vendors: {
      gtmpixel: {
        name: 'Google Tag Manager',
        where: 'في tagmanager.google.com: فتح الحاوية. المعرّف في الأعلى بجوار «Preview».',
      },
      gapixel: {
        name: 'Google Analytics',
        where: 'Admin ثم Data streams: فتح تدفق الويب. يبدأ معرّف القياس بـ \u2066G-\u2069.',
      },
      fbpixel: {
        name: 'Meta (Facebook)',
        where: 'Events Manager ثم Data sources: تحديد البكسل. المعرّف أسفل اسمه.',
      },
      adwordspixel: {
        name: 'Google Ads',
        where:
          'Goals ثم Conversions: فتح الإجراء وإعداد وسمه. تُنسخ قيمة send_to، أو رقم \u2066AW-\u2069 وحده لإعادة التسويق.',
      },
      linkedinpixel: {
        name: 'LinkedIn',
        where: 'Campaign Manager ثم Data ثم Signals manager: ضمن Insight Tag يُنسخ معرّف الشريك.',
      },
      twitterpixel: {
        name: 'X (Twitter)',
        where: 'X Ads ثم Tools ثم Events manager: معرّف البكسل في ترويسته.',
      },
      adrollpixel: {
        name: 'AdRoll',
        where:
          'Settings ثم Pixel: تحتوي الشيفرة على adroll_adv_id وadroll_pix_id. يُدخل كلاهما مفصولين بشرطة مائلة.',
      },
      quorapixel: {
        name: 'Quora',
        where: "Ads Manager ثم Quora Pixel: الإعداد. المعرّف في \u2066qp('init', …)\u2069.",
      },
      pinterest: {
        name: 'Pinterest',
        where: 'Ads Manager ثم Conversions ثم Tag manager: معرّف الوسم.',
      },
      bing: {
        name: 'Microsoft Advertising',
        where: 'Tools ثم UET tag: الرقم في عمود Tag ID.',
      },
      snapchat: {
        name: 'Snapchat',
        where: 'Events Manager: فتح البكسل. يتكوّن المعرّف من خمس مجموعات من الأحرف والأرقام.',
      },
      reddit: {
        name: 'Reddit',
        where: 'Events Manager: يبدأ معرّف البكسل بـ \u2066t2_\u2069 أو \u2066a2_\u2069.',
      },
      tiktok: { name: 'TikTok', where: 'Events Manager ثم Web events: معرّف البكسل أسفل اسمه.' },
    },
  },
};
