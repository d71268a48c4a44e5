import type { messages as source } from '../../operations/desktop-settings/messages.ts';

export const desktop: (typeof source)['en'] = {
  desktop: {
    title: 'هذا التطبيق',
    description: 'سلوك Waypost على هذا الحاسوب، لكل المثيلات.',
    openAtLogin: 'البدء عند تسجيل دخولي إلى هذا الحاسوب',
    openAtLoginHelp: 'يبدأ Waypost بلا نافذة كي تعمل روابطك القصيرة فورًا.',
    openAtLoginNone: 'متاح فقط في Waypost المثبّت، لا عند تشغيله من المصدر.',
    openAtLoginApproval: 'يلزم السماح به في «إعدادات النظام» ثم «عام» ثم «عناصر تسجيل الدخول».',
    background: 'الاستمرار في العمل عند إغلاق النافذة',
    backgroundHelp: 'لا تعمل الروابط القصيرة على هذا الحاسوب إلا أثناء عمل Waypost. يبقى في شريط النظام.',
    notifications: 'إشعارات النظام',
    notificationsHelp: 'عندما يتوقف نطاق عن الإشارة إلى هنا، أو يفشل تسجيل دخول، أو يتوقف الخادم.',
    shortcut: 'اختصار URL من الحافظة في أي تطبيق',
    shortcutHelp: 'بعد نسخ عنوان URL في أي تطبيق، تُنشئ هذه المفاتيح رابطًا قصيرًا وتنسخه.',
    shortcutTaken: 'يستخدم تطبيق آخر هذه المفاتيح. يُرجى اختيار غيرها.',
    shortcutNone: 'بلا مفاتيح',
    shortcutRecord: 'بانتظار الضغط على المفاتيح الجديدة…',
    shortcutChange: 'تغيير',
    shortcutClear: 'إزالة المفاتيح',
    updates: 'التحقق من التحديثات',
    updatesHelp: 'مرة في اليوم، على عنوان URL لتحديثات هذا الإصدار. لا يُرسل شيء عنك.',
    updatesNone: 'ليس لهذا الإصدار عنوان URL للتحديثات، فلا يتحقق منها أبدًا.',
    update: 'يتوفر Waypost {version}',
    updateGet: 'الحصول عليه',
    offer: 'يطلب أحد الروابط اختصار عنوان URL',
  },
};
