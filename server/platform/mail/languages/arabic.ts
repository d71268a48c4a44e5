import type { LetterTexts } from '../letter-texts.ts';

export const arabic: LetterTexts = {
  language: 'ar',
  direction: 'rtl',
  sentBy: 'أرسلها Waypost على {host}.',
  switchOff: 'يمكنك إيقاف هذه الرسائل من Settings ثم Preferences.',
  test: {
    subject: 'إعدادات البريد تعمل',
    text: ['هذه رسالة الاختبار التي أرسلتها إلى نفسك. يمكن لـ Waypost الآن إرسال البريد.'],
  },
  invitation: {
    subject: 'دعوة إلى {host}',
    text: ['دعاك {by} إلى إنشاء حساب على {host}.'],
    action: 'إنشاء حسابك',
    note: 'تعمل الدعوة مرة واحدة حتى {until}. إن لم تعرف موضوعها فتجاهلها.',
  },
  teamInvitation: {
    subject: 'انضم إلى «{team}» على {host}',
    text: ['دعاك {by} إلى فريق «{team}» على {host}.'],
    action: 'الانضمام إلى الفريق',
    note: 'تنتهي الدعوة في {until}. إن لم تعرف موضوعها فتجاهلها.',
  },
  passwordReset: {
    subject: 'إعادة تعيين كلمة المرور',
    text: ['طلب أحدهم، ولعله أنت، كلمة مرور جديدة للحساب {username} على {host}.'],
    action: 'اختيار كلمة مرور جديدة',
    note: 'يعمل الرابط مرة واحدة لمدة 30 دقيقة. إن لم تطلبه فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  },
  passwordChanged: {
    subject: 'أُعيد تعيين كلمة مرورك',
    text: [
      'أُعيد تعيين كلمة مرور {username} على {host} عبر البريد. انتهت جميع الجلسات ومفاتيح API.',
      'إن لم تكن أنت من فعل ذلك، فأمّن بريدك أولاً ثم أعد تعيين كلمة المرور.',
    ],
  },
  newSignIn: {
    subject: 'تسجيل دخول جديد إلى {host}',
    text: [
      'سجّل أحدهم الدخول باسم {username} من جهاز جديد أو شبكة جديدة:',
      '{device}، {place}، {time}',
      'إن كنت أنت فلا حاجة لفعل شيء. وإلا فغيّر كلمة مرورك: فهذا يسجّل خروج الجميع غيرك.',
    ],
    action: 'مراجعة جلساتك',
  },
  domainFailed: {
    subject: 'لم يعد {domain} يشير إلى هنا',
    text: ['لم تعد سجلات DNS الخاصة بـ {domain} تؤدي إلى {host}، لذلك لا تعمل روابطه القصيرة.'],
    action: 'مراجعة النطاق',
  },
  certificateFailed: {
    subject: 'تعذّر تجديد شهادة {domain}',
    text: ['تنتهي الشهادة في {until} ويستمر فشل تجديدها. بعد ذلك ستحذّر المتصفحات زوار روابطه القصيرة.'],
    action: 'مراجعة النطاق',
  },
  brokenLinks: {
    subject: 'بعض الوجهات لا تستجيب',
    text: ['تؤدي هذه الروابط إلى صفحات لم تعد تستجيب:', '{links}'],
    action: 'فتح روابطك',
  },
};
