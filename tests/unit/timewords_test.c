/*
 * timewords_test.c: time words of questions, as of Wednesday, 12 June 2024, 15:00; every span
 * worked out by hand from a calendar. A span is written TEXT=FROM..TO (the day after the last) and
 * a letter for the grain, or with - for what is not named when it has no year, and + for how many
 * months it has.
 */
#include "tap.h"

#include "base/base.h"
#include "time/timewords.h"

static int64_t now;

static const struct { const char *text, *want; } spans[] = {
	/* relative days and weeks; a week begins on Monday */
	{ "what did I eat yesterday?", "yesterday=2024-06-11..2024-06-12d" },
	{ "the day before yesterday", "day before yesterday=2024-06-10..2024-06-11d" },
	{ "today, tomorrow and tonight", "today=2024-06-12..2024-06-13d tomorrow=2024-06-13..2024-06-14d tonight=2024-06-12..2024-06-13d" },
	{ "Last week", "Last week=2024-06-03..2024-06-10w" },
	{ "this week", "this week=2024-06-10..2024-06-17w" },
	{ "next week", "next week=2024-06-17..2024-06-24w" },
	{ "last weekend", "last weekend=2024-06-08..2024-06-10w" },
	{ "last month, last year", "last month=2024-05-01..2024-06-01m last year=2023-01-01..2024-01-01y" },
	{ "next month", "next month=2024-07-01..2024-08-01m" },
	{ "the past three months", "past three months=2024-03-12..2024-06-13m" },
	{ "in the last 10 days", "last 10 days=2024-06-02..2024-06-13d" },
	{ "the past week", "past week=2024-06-05..2024-06-13w" },
	{ "last night, this morning", "last night=2024-06-11..2024-06-12d this morning=2024-06-12..2024-06-13d" },
	/* ago */
	{ "two days ago", "two days ago=2024-06-10..2024-06-11d" },
	{ "a week ago", "a week ago=2024-06-03..2024-06-10w" },
	{ "a couple of months ago", "a couple of months ago=2024-04-01..2024-05-01m" },
	{ "3 years ago", "3 years ago=2021-01-01..2022-01-01y" },
	{ "20 hours ago", "20 hours ago=2024-06-11..2024-06-12d" },
	{ "6 months ago", "6 months ago=2023-12-01..2024-01-01m" },
	/* weekdays */
	{ "on Monday", "Monday=2024-06-10..2024-06-11d" },
	{ "on Wednesday", "Wednesday=2024-06-12..2024-06-13d" },
	{ "last Wednesday", "last Wednesday=2024-06-05..2024-06-06d" },
	{ "next Wednesday", "next Wednesday=2024-06-19..2024-06-20d" },
	{ "this Sunday", "this Sunday=2024-06-16..2024-06-17d" },
	{ "on Sun", "Sun=2024-06-09..2024-06-10d" },
	/* dates */
	{ "on 3 June 2023", "3 June 2023=2023-06-03..2023-06-04d" },
	{ "June 3rd, 2023", "June 3rd, 2023=2023-06-03..2023-06-04d" },
	{ "the 3rd of June", "3rd of June=-6-3d" },
	{ "Sept. 9", "Sept. 9=-9-9d" },
	{ "June 2023", "June 2023=2023-06-01..2023-07-01m" },
	{ "December 2023", "December 2023=2023-12-01..2024-01-01m" },
	{ "in 2023", "2023=2023-01-01..2024-01-01y" },
	{ "2024-05-01 and 2024-05", "2024-05-01=2024-05-01..2024-05-02d 2024-05=2024-05-01..2024-06-01m" },
	{ "2024/5/1 or 5/1/2024 or 13/5/2024", "2024/5/1=2024-05-01..2024-05-02d 5/1/2024=2024-05-01..2024-05-02d 13/5/2024=2024-05-13..2024-05-14d" },
	{ "29 February 2024", "29 February 2024=2024-02-29..2024-03-01d" },
	{ "2024-13-01 2024-02-30 2023-02-29 1/2 10-20 2023-2024 v2024-05 10.2024-05-01 2024-05-00", "" },
	{ "I have 2023 files and 1999 bottles", "" },
	{ "last May, next May, last January, last June", "last May=2024-05-01..2024-06-01m next May=2025-05-01..2025-06-01m "
	  "last January=2024-01-01..2024-02-01m last June=2023-06-01..2023-07-01m" },
	/* words that are something else as well */
	{ "in May", "May=-5-0m" },
	{ "in may", "may=-5-0m" },
	{ "she said May was cold", "May=-5-0m" },
	{ "May 5", "May 5=-5-5d" },
	{ "may I ask? May I? it may rain. this may be wrong", "" },
	{ "march on; the sun is hot; he sat down; a second; mar the view; Jan said", "" },
	{ "in March, Jan 2020", "March=-3-0m Jan 2020=2020-01-01..2020-02-01m" },
	{ "the last week of May", "May=-5-0m" },
	{ "the last day, the next one, these days, back in the day", "" },
	/* parts of the year that have a name */
	{ "what grew in the spring?", "spring=-3-0+3m" },
	{ "the hut in summer 2021, and that of autumn 2022", "summer 2021=2021-06-01..2021-09-01m autumn 2022=2022-09-01..2022-12-01m" },
	{ "winter of 2022", "winter of 2022=2022-12-01..2023-03-01m" },
	{ "last summer, this summer, next summer", "last summer=2023-06-01..2023-09-01m this summer=2024-06-01..2024-09-01m next summer=2025-06-01..2025-09-01m" },
	{ "last spring, last fall", "last spring=2024-03-01..2024-06-01m last fall=2023-09-01..2023-12-01m" },
	{ "this spring, this winter", "this spring=2024-03-01..2024-06-01m this winter=2023-12-01..2024-03-01m" },
	{ "a spring in the mattress, to fall asleep, a summer camp, a winter coat", "" },
	{ "in the summer of last year", "summer of last year=2023-06-01..2023-09-01m" },
	{ "Christmas, xmas and Halloween", "Christmas=-12-25d xmas=-12-25d Halloween=-10-31d" },
	{ "last Christmas", "last Christmas=2023-12-25..2023-12-26d" },
	{ "for Christmas last year", "Christmas last year=2023-12-25..2023-12-26d" },
	{ "last year's Christmas", "last year's Christmas=2023-12-25..2023-12-26d" },
	{ "New Year\xe2\x80\x99s Eve 2022", "New Year\xe2\x80\x99s Eve 2022=2022-12-31..2023-01-01d" },
	{ "at Easter, at Easter 2019 and Good Friday 2025", "Easter=2024-03-31..2024-04-01d Easter 2019=2019-04-21..2019-04-22d Good Friday 2025=2025-04-18..2025-04-19d" },
	{ "Thanksgiving 2023, Black Friday 2023", "Thanksgiving 2023=2023-11-23..2023-11-24d Black Friday 2023=2023-11-24..2023-11-25d" },
	{ "Mother's Day, Father's Day 2025", "Mother's Day=2024-05-12..2024-05-13d Father's Day 2025=2025-06-15..2025-06-16d" },
	{ "Chinese New Year 2023", "Chinese New Year 2023=2023-01-21..2023-01-29w" },
	{ "last quarter, this quarter, Q3 2023", "last quarter=2024-01-01..2024-04-01m this quarter=2024-04-01..2024-07-01m Q3 2023=2023-07-01..2023-10-01m" },
	{ "the second quarter of 2023", "second quarter of 2023=2023-04-01..2023-07-01m" },
	{ "in Q4; the last quarter of the game, the first quarter was dull", "Q4=-10-0+3m" },
	{ "at the end of 2022, the beginning of last year", "end of 2022=2022-12-01..2023-01-01m beginning of last year=2023-01-01..2023-02-01m" },
	{ "the end of the film, the beginning of the talk", "" },
	{ "the first half of 2023, the second half was dull", "first half of 2023=2023-01-01..2023-07-01m" },
	/* together */
	{ "in May of last year, May last year", "May of last year=2023-05-01..2023-06-01m May last year=2023-05-01..2023-06-01m" },
	{ "on May 3rd last year", "May 3rd last year=2023-05-03..2023-05-04d" },
	{ "on Tuesday last week", "Tuesday last week=2024-06-04..2024-06-05d" },
	{ "last week on Tuesday", "last week on Tuesday=2024-06-04..2024-06-05d" },
	{ "on Monday two weeks ago", "Monday two weeks ago=2024-05-27..2024-05-28d" },
	{ "on Friday, the 3rd of May", "Friday, the 3rd of May=-5-3d" },
	{ "the week before last", "week before last=2024-05-27..2024-06-03w" },
	{ "the weekend before last", "weekend before last=2024-06-01..2024-06-03w" },
	{ "the month before last, the year before last", "month before last=2024-04-01..2024-05-01m year before last=2022-01-01..2023-01-01y" },
	{ "the Thursday before last, the night before last", "Thursday before last=2024-05-30..2024-05-31d night before last=2024-06-10..2024-06-11d" },
	{ "the week before last Christmas", "last Christmas=2023-12-25..2023-12-26d" },
	{ "the coming weekend, next weekend", "coming weekend=2024-06-15..2024-06-17w next weekend=2024-06-22..2024-06-24w" },
	{ "half a year ago, a year and a half ago", "half a year ago=2023-12-01..2024-01-01m a year and a half ago=2022-12-01..2023-01-01m" },
	{ "fifteen days ago, thirty years ago", "fifteen days ago=2024-05-28..2024-05-29d thirty years ago=1994-01-01..1995-01-01y" },
	{ "on the 5th? on the 20th.", "5th=2024-06-05..2024-06-06d 20th=2024-05-20..2024-05-21d" },
	{ "on the 31st", "31st=2024-05-31..2024-06-01d" },
	{ "on the 5th floor, the 5th, in the 5th", "" },
	{ "on 11.02.2024 and 3.5.2023", "11.02.2024=2024-02-11..2024-02-12d 3.5.2023=2023-05-03..2023-05-04d" },
	{ "version 1.2.2024.5, 1.20.2024, 2024.5.1", "" },
	/* Chinese */
	{ "去年春节, 去年中秋节", "去年春节=2023-01-21..2023-01-29w 去年中秋=2023-09-29..2023-09-30d" },
	{ "2025年端午和明年元宵节", "2025年端午=2025-05-31..2025-06-01d 明年元宵=2025-02-12..2025-02-13d" },
	{ "去年夏天, 2022年冬天", "去年夏天=2023-06-01..2023-09-01m 2022年冬天=2022-12-01..2023-03-01m" },
	{ "夏天去了哪里", "夏天=-6-0+3m" },
	{ "国庆节和圣诞节", "国庆=-10-1d 圣诞=-12-25d" },
	{ "去年年底, 去年底, 今年年初", "去年年底=2023-12-01..2024-01-01m 去年底=2023-12-01..2024-01-01m 今年年初=2024-01-01..2024-02-01m" },
	{ "上个月十二号, 本月五日, 上个月底", "上个月十二号=2024-05-12..2024-05-13d 本月五日=2024-06-05..2024-06-06d 上个月=2024-05-01..2024-06-01m" },
	{ "半年前, 二零二三年, 二〇二二年五月", "半年前=2023-12-01..2024-01-01m 二零二三年=2023-01-01..2024-01-01y 二〇二二年五月=2022-05-01..2022-06-01m" },
	{ "去年暑假, 2022年下半年, 大前年", "去年暑假=2023-07-01..2023-09-01m 2022年下半年=2022-07-01..2023-01-01m 大前年=2021-01-01..2022-01-01y" },
	{ "去年第三季度", "去年第三季度=2023-07-01..2023-10-01m" },
	{ "底线, 初中, 第一次, 半天, 中国, 年轻人", "" },
	{ "上周三我去了哪里", "上周三=2024-06-05..2024-06-06d" },
	{ "上周", "上周=2024-06-03..2024-06-10w" },
	{ "去年五月", "去年五月=2023-05-01..2023-06-01m" },
	{ "去年五月三号", "去年五月三号=2023-05-03..2023-05-04d" },
	{ "前年", "前年=2022-01-01..2023-01-01y" },
	{ "三天前, 十二天之前", "三天前=2024-06-09..2024-06-10d 十二天之前=2024-05-31..2024-06-01d" },
	{ "2024年5月1日", "2024年5月1日=2024-05-01..2024-05-02d" },
	{ "5月", "5月=-5-0m" },
	{ "十二月二十五号", "十二月二十五号=-12-25d" },
	{ "上个月和最近两周", "上个月=2024-05-01..2024-06-01m 最近两周=2024-05-29..2024-06-13w" },
	{ "下下周二", "下下周二=2024-06-25..2024-06-26d" },
	{ "昨天 大前天", "昨天=2024-06-11..2024-06-12d 大前天=2024-06-09..2024-06-10d" },
	{ "星期天", "星期天=2024-06-09..2024-06-10d" },
	{ "一周一次, 每周一, 三个月, 十三月, 一下", "" },
	{ "", "" },
	/* other languages */
	{ "Was habe ich letzte Woche gegessen?", "letzte Woche=2024-06-03..2024-06-10w" },
	{ "im letzten Monat und letztes Jahr", "letzten Monat=2024-05-01..2024-06-01m letztes Jahr=2023-01-01..2024-01-01y" },
	{ "diese Woche, nächste Woche", "diese Woche=2024-06-10..2024-06-17w nächste Woche=2024-06-17..2024-06-24w" },
	{ "vorletzte Woche", "vorletzte Woche=2024-05-27..2024-06-03w" },
	{ "vor zwei Wochen", "vor zwei Wochen=2024-05-27..2024-06-03w" },
	{ "Was war vor 3 Tagen?", "vor 3 Tagen=2024-06-09..2024-06-10d" },
	{ "vor einem halben Jahr", "vor einem halben Jahr=2023-12-01..2024-01-01m" },
	{ "gestern, vorgestern und heute", "gestern=2024-06-11..2024-06-12d vorgestern=2024-06-10..2024-06-11d heute=2024-06-12..2024-06-13d" },
	{ "Was mache ich morgen?", "morgen=2024-06-13..2024-06-14d" },
	{ "Was war heute morgen, und was am Morgen?", "heute morgen=2024-06-12..2024-06-13d" },
	{ "letzten Freitag", "letzten Freitag=2024-06-07..2024-06-08d" },
	{ "am Montag", "Montag=2024-06-10..2024-06-11d" },
	{ "am 3. Juni 2023", "3. Juni 2023=2023-06-03..2023-06-04d" },
	{ "im Mai", "Mai=-5-0m" },
	{ "im Sommer 2023", "Sommer 2023=2023-06-01..2023-09-01m" },
	{ "Wo war ich an Weihnachten letztes Jahr?", "Weihnachten letztes Jahr=2023-12-25..2023-12-26d" },
	{ "in den letzten 10 Tagen", "letzten 10 Tagen=2024-06-02..2024-06-13d" },
	{ "letztes Wochenende", "letztes Wochenende=2024-06-08..2024-06-10w" },
	{ "Montag der letzten Woche", "Montag der letzten Woche=2024-06-03..2024-06-04d" },
	{ "Qu’est-ce que j’ai mangé la semaine dernière ?", "semaine dernière=2024-06-03..2024-06-10w" },
	{ "le mois dernier, l'année dernière", "mois dernier=2024-05-01..2024-06-01m année dernière=2023-01-01..2024-01-01y" },
	{ "cette semaine et la semaine prochaine", "cette semaine=2024-06-10..2024-06-17w semaine prochaine=2024-06-17..2024-06-24w" },
	{ "w sobotę 18 grudnia 2026, od 3 maja", "sobotę 18 grudnia 2026=2026-12-18..2026-12-19d 3 maja=-5-3d" },
	{ "dwa tygodnie temu, wczoraj, w marcu", "dwa tygodnie temu=2024-05-27..2024-06-03w wczoraj=2024-06-11..2024-06-12d marcu=-3-0m" },
	{ "w zeszłym roku, ten tor, do domu, kilka lat", "zeszłym roku=2023-01-01..2024-01-01y" },
	{ "il y a deux semaines", "il y a deux semaines=2024-05-27..2024-06-03w" },
	{ "ce que j’ai fait hier et avant-hier", "hier=2024-06-11..2024-06-12d avant-hier=2024-06-10..2024-06-11d" },
	{ "Que fait-on demain ?", "demain=2024-06-13..2024-06-14d" },
	{ "aujourd'hui, on mange quoi ?", "aujourd'hui=2024-06-12..2024-06-13d" },
	{ "vendredi dernier, je suis sorti", "vendredi dernier=2024-06-07..2024-06-08d" },
	{ "le 3 juin 2023, le 1er mai", "3 juin 2023=2023-06-03..2023-06-04d 1er mai=-5-1d" },
	{ "en mars 2023 avec elle", "mars 2023=2023-03-01..2023-04-01m" },
	{ "les dix derniers jours", "dix derniers jours=2024-06-02..2024-06-13d" },
	{ "l'été dernier, nous étions ici", "été dernier=2023-06-01..2023-09-01m" },
	{ "J’ai été malade en été", "été=-6-0+3m" },
	{ "¿Qué comí la semana pasada?", "semana pasada=2024-06-03..2024-06-10w" },
	{ "el mes pasado y el año pasado", "mes pasado=2024-05-01..2024-06-01m año pasado=2023-01-01..2024-01-01y" },
	{ "esta semana, la próxima semana", "esta semana=2024-06-10..2024-06-17w próxima semana=2024-06-17..2024-06-24w" },
	{ "la semana que viene", "semana que viene=2024-06-17..2024-06-24w" },
	{ "hace dos semanas", "hace dos semanas=2024-05-27..2024-06-03w" },
	{ "¿Qué hice ayer, y anteayer?", "ayer=2024-06-11..2024-06-12d anteayer=2024-06-10..2024-06-11d" },
	{ "¿Qué hago mañana?", "mañana=2024-06-13..2024-06-14d" },
	{ "esta mañana he dicho que por la mañana no", "esta mañana=2024-06-12..2024-06-13d" },
	{ "el viernes pasado", "viernes pasado=2024-06-07..2024-06-08d" },
	{ "el 3 de junio de 2023", "3 de junio de 2023=2023-06-03..2023-06-04d" },
	{ "en mayo de 2024 con ella", "mayo de 2024=2024-05-01..2024-06-01m" },
	{ "los últimos 10 días", "últimos 10 días=2024-06-02..2024-06-13d" },
	{ "el verano pasado", "verano pasado=2023-06-01..2023-09-01m" },
	{ "Cosa ho mangiato la settimana scorsa?", "settimana scorsa=2024-06-03..2024-06-10w" },
	{ "il mese scorso e l'anno scorso", "mese scorso=2024-05-01..2024-06-01m anno scorso=2023-01-01..2024-01-01y" },
	{ "questa settimana, la prossima settimana", "questa settimana=2024-06-10..2024-06-17w prossima settimana=2024-06-17..2024-06-24w" },
	{ "due settimane fa", "due settimane fa=2024-05-27..2024-06-03w" },
	{ "ieri e l'altro ieri", "ieri=2024-06-11..2024-06-12d altro ieri=2024-06-10..2024-06-11d" },
	{ "venerdì scorso", "venerdì scorso=2024-06-07..2024-06-08d" },
	{ "il 3 giugno 2023", "3 giugno 2023=2023-06-03..2023-06-04d" },
	{ "gli ultimi 10 giorni", "ultimi 10 giorni=2024-06-02..2024-06-13d" },
	{ "che cosa ho fatto in estate", "estate=-6-0+3m" },
	{ "O que eu comi na semana passada?", "semana passada=2024-06-03..2024-06-10w" },
	{ "mês passado, ano passado", "mês passado=2024-05-01..2024-06-01m ano passado=2023-01-01..2024-01-01y" },
	{ "esta semana e a semana que vem", "esta semana=2024-06-10..2024-06-17w semana que vem=2024-06-17..2024-06-24w" },
	{ "há duas semanas", "há duas semanas=2024-05-27..2024-06-03w" },
	{ "duas semanas atrás", "duas semanas atrás=2024-05-27..2024-06-03w" },
	{ "ontem e anteontem", "ontem=2024-06-11..2024-06-12d anteontem=2024-06-10..2024-06-11d" },
	{ "na sexta-feira passada", "sexta-feira passada=2024-06-07..2024-06-08d" },
	{ "em 3 de junho de 2023", "3 de junho de 2023=2023-06-03..2023-06-04d" },
	{ "os últimos 10 dias", "últimos 10 dias=2024-06-02..2024-06-13d" },
	{ "Wat heb ik vorige week gegeten?", "vorige week=2024-06-03..2024-06-10w" },
	{ "afgelopen maand en vorig jaar", "afgelopen maand=2024-05-01..2024-06-01m vorig jaar=2023-01-01..2024-01-01y" },
	{ "deze week, volgende week", "deze week=2024-06-10..2024-06-17w volgende week=2024-06-17..2024-06-24w" },
	{ "twee weken geleden", "twee weken geleden=2024-05-27..2024-06-03w" },
	{ "gisteren en eergisteren", "gisteren=2024-06-11..2024-06-12d eergisteren=2024-06-10..2024-06-11d" },
	{ "afgelopen vrijdag", "afgelopen vrijdag=2024-06-07..2024-06-08d" },
	{ "op 3 juni 2023", "3 juni 2023=2023-06-03..2023-06-04d" },
	{ "de laatste 10 dagen", "laatste 10 dagen=2024-06-02..2024-06-13d" },
	{ "the estate in Italy, life on Mars, a call from Mai", "" },
	{ "Wo ist das hier?", "" },
	{ "Il y a deux problèmes", "" },
	{ "Guten Morgen", "" },
	{ "vor dem Haus, seit langem", "" },
	{ "quiero dos mesas", "" },
	{ "la segunda vez que hablo con ella", "" },
	{ "non ho mai detto che sei un fa", "" },
	{ "Noel and Natal came with Domingo", "" },
	{ "hace un rato", "" },
	{ "das letzte Mal, der letzte Tag", "" },
	{ "un an", "" },
};

static void
check_spans(void)
{
	for (size_t i = 0; i < NELEM(spans); i++) {
		struct time_span s[8];
		char got[600] = "", from[TIME_TEXT], to[TIME_TEXT];
		size_t n = timewords_find(spans[i].text, strlen(spans[i].text), now, s, 8), at = 0;

		for (size_t k = 0; k < n; k++) {
			at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%.*s=", k ? " " : "",
			    (int)(s[k].end - s[k].start), spans[i].text + s[k].start);
			if (s[k].from_us == TIME_NONE && s[k].months > 0)
				at += (size_t)snprintf(got + at, sizeof(got) - at, "-%d-%d+%d",
				    s[k].month, s[k].day, s[k].months);
			else if (s[k].from_us == TIME_NONE)
				at += (size_t)snprintf(got + at, sizeof(got) - at, "-%d-%d",
				    s[k].month, s[k].day);
			else
				at += (size_t)snprintf(got + at, sizeof(got) - at, "%s..%s",
				    time_format_day(s[k].from_us, from),
				    time_format_day(s[k].to_us, to));
			at +=
			    (size_t)snprintf(got + at, sizeof(got) - at, "%c", "dwmy"[s[k].grain]);
		}
		is_str(got, spans[i].want, "%s", spans[i].text);
	}
}

static void
check_fields(void)
{
	struct time_span s[2];

	timewords_find("in June 2023", 12, now, s, 2);
	ok(s[0].year == 2023 && s[0].month == 6 && s[0].day == 0, "a month of a year names both");
	timewords_find("yesterday", 9, now, s, 2);
	ok(s[0].year == 0 && s[0].month == 0 && s[0].day == 0, "yesterday names none");
	is_int(timewords_find("today and tomorrow and yesterday", 32, now, s, 2), 2,
	    "no more than asked for");
	is_int(timewords_find("today", 5, now, s, 0), 0, "none when none is asked for");
}

static const char *const asks[] = {
	"When did Caroline go to the group?",
	"What date was the meeting?",
	"how long ago did we move",
	"Which year was it?",
	"tell me when you left",
	"Do you know when she comes?",
	"When John has met Jane?",
	"when?",
	"When's the party",
	"我是什么时候去的",
	"你哪天回来",
	"会议的时间是什么？",
	"Wann hat sie angerufen?",
	"Quand est-ce que Paul est venu ?",
	"Quel jour est la réunion ?",
	"¿Cuándo fue la reunión?",
	"¿Qué día es?",
	"Quando è la riunione?",
	"Quando foi a reunião?",
	"Wanneer was de vergadering?",
	NULL,
};
static const char *const asks_not[] = {
	"When I was young, I ate a lot. What did I eat?",
	"What did I say when we met",
	"How long has she practised?",
	"Where is it?",
	"whenever",
	"",
	"持续时间是什么",
	"Quand on est partis, que disait Paul, hein",
	"Cuando era joven, comía mucho. ¿Qué comía?",
	"Wo ist es?",
	NULL,
};
static const char *const back[] = {
	"What did you say last time?",
	"Did I mention it before?",
	"as we discussed previously",
	"what I said earlier",
	"have we met before",
	"之前说过什么",
	"上次的方案",
	"Was hast du letztes Mal gesagt?",
	"Hatte ich das schon vorher?",
	"la dernière fois",
	"¿Lo dije antes?",
	"la volta scorsa",
	"na última vez",
	"de vorige keer",
	NULL,
};
static const char *const back_not[] = { "before we left", "earlier than five", "beforehand",
	"the last item", "", "以后", "vor dem Essen, vorher essen wir",
	"antes de salir",
	NULL };

static const char *const present[] = { "Where does he live now?", "is she still ill",
	"the latest price", "What do I drink these days", "Wo wohnt sie jetzt?", "我现在住哪里",
	"目前的方案", "Où habite-t-elle maintenant ?",
	"¿Dónde vive ahora?",
	"Dove abita adesso?",
	"Onde ela mora agora?",
	"Waar woont ze nu?",
	NULL };
static const char *const present_not[] = { "knowing him", "distillery", "Where does he live?",
	"what we did before", "", NULL };

static const char *const recalls[] = {
	"What did I say about cats?",
	"Have we met?",
	"how many tools I've mentioned",
	"what you had recommended",
	"Was my plan good?",
	"list what I brought up across our conversations",
	"throughout chats",
	"do you remember the name",
	"So far, what is done?",
	"what was it last time",
	"Didn't you tell me?",
	"你还记得我的生日吗",
	"我说过什么",
	"Was haben wir über Katzen gesagt?",
	"Was habe ich gesagt?",
	"Qu’est-ce que j’ai dit sur les chats ?",
	"De quoi avons-nous parlé ?",
	"¿Qué te dije de los gatos?",
	"Cosa abbiamo deciso?",
	"O que falamos sobre gatos?",
	"Wat hebben we besproken?",
	NULL,
};
static const char *const recalls_not[] = {
	"Can you suggest some books for me?",
	"How do I sort a list?",
	"I have a trip next week, what should I pack?",
	"When is my meeting?",
	"it was said that cats sleep",
	"my conversation skills",
	"Where did Ann go?",
	"all my chatter",
	"did it work",
	"what you say",
	"",
	"给我推荐一本书",
	"Kannst du mir ein Buch empfehlen?",
	"Peux-tu me recommander un livre ?",
	"¿Cómo ordeno una lista?",
	NULL,
};

static void
check_list(bool (*fn)(const char *, size_t), const char *name, const char *const *list, bool want)
{
	for (; *list != NULL; list++)
		ok(fn(*list, strlen(*list)) == want, "%s %s: %s", name, want ? "yes" : "no", *list);
}

/* ranges of questions for a time alone, written FROM..TO; * for an open end */
static const struct { const char *text, *want; } ranges[] = {
	{ "what happened in May 2023", "2023-05-01..2023-06-01" },
	{ "in May", "2024-05-01..2024-06-01" },
	{ "in June", "2024-06-01..2024-07-01" },
	{ "in July", "2023-07-01..2023-08-01" },
	{ "on 13 June", "2023-06-13..2023-06-14" },
	{ "on 29 February", "2024-02-29..2024-03-01" },
	{ "in winter", "2023-12-01..2024-03-01" },
	{ "last week", "2024-06-03..2024-06-10" },
	{ "from March 2024 to May 2024", "2024-03-01..2024-06-01" },
	{ "between March 2024 and May 2024", "2024-03-01..2024-06-01" },
	{ "in March 2024 and in May 2024", "2024-03-01..2024-04-01 2024-05-01..2024-06-01" },
	{ "since May", "2024-05-01..*" },
	{ "after March 2024", "2024-04-01..*" },
	{ "seit letzter Woche", "2024-06-03..*" }, { "zwischen März 2024 und Mai 2024", "2024-03-01..2024-06-01" },
	{ "depuis la semaine dernière", "2024-06-03..*" }, { "avant mars 2024", "*..2024-03-01" },
	{ "desde la semana pasada", "2024-06-03..*" }, { "o que fizemos na semana passada", "2024-06-03..2024-06-10" },
	{ "dopo marzo 2024", "2024-04-01..*" }, { "van maart 2024 tot mei 2024", "2024-03-01..2024-06-01" },
	{ "before March 2024", "*..2024-03-01" },
};

static void
check_ranges(void)
{
	for (size_t i = 0; i < NELEM(ranges); i++) {
		const char *text = ranges[i].text;
		struct time_span s[4];
		struct time_range r[4];
		char got[200] = "";
		size_t n = timewords_find(text, strlen(text), now, s, 4);

		n = timewords_ranges(text, strlen(text), s, n, now, r);
		for (size_t k = 0; k < n; k++) {
			char from[TIME_TEXT] = "*", to[TIME_TEXT] = "*";
			if (r[k].from_us != INT64_MIN)
				time_format_day(r[k].from_us, from);
			if (r[k].to_us != INT64_MAX)
				time_format_day(r[k].to_us, to);
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s..%s",
			    k > 0 ? " " : "", from, to);
		}
		is_str(got, ranges[i].want, "range: %s", text);
	}
}

int
main(void)
{
	static char noise[3000];
	struct time_span s[4];
	uint32_t seed = 3;
	unsigned bad = 0;

	time_parse("2024-06-12T15:00", 16, &now, NULL);
	check_spans();
	check_fields();
	check_ranges();
	ok(timewords_is_filler("what Happened", 13, 5, 13) &&
		!timewords_is_filler("what happened", 13, 5, 12) &&
		timewords_is_filler("\xe5\x8f\x91\xe7\x94\x9f", 6, 3, 6),
	    "words that ask for whatever was said");
	ok(timewords_is_filler("did Ida write", 13, 8, 13) &&
		timewords_is_filler("Ida stuurde", 11, 4, 11) &&
		timewords_is_filler("Ida geschrieben", 15, 4, 15) &&
		!timewords_is_filler("did Ida bake", 12, 8, 12),
	    "who writes or sends says it");
	check_list(timewords_asks_when, "asks when,", asks, true);
	check_list(timewords_asks_when, "asks when,", asks_not, false);
	check_list(timewords_asks_now, "asks for now,", present, true);
	check_list(timewords_asks_now, "asks for now,", present_not, false);
	check_list(timewords_looks_back, "looks back,", back, true);
	check_list(timewords_looks_back, "looks back,", back_not, false);
	check_list(timewords_recalls, "recalls,", recalls, true);
	check_list(timewords_recalls, "recalls,", recalls_not, false);

	/* pieces of time words in any order, in exact memory: spans in order and inside */
	for (unsigned round = 0; round < 20000; round++) {
		static const char *const bits[] = { "last ", "week", " ago", "3 ", "June", " 2023",
			"-05", "-01", "/", "上", "周", "三", "天前", "年", "月", ", ", "the ",
			"of ", "may ", "99999999999", "\xe4", "when", "before", "a ", "few ",
			"Monday ", "\xff", "th", "?", "十", "next ", "earlier", "summer ",
			"Christmas", "'s ", "春节", "去", "before last", "half ", "on the 5th",
			"Q3", "end of ", ".", "零", "底", "季度", "quarter ", "in ", "Easter ",
			"中秋" };
		size_t len = 0, n, end = 0;
		char *copy;

		while (len < 40) {
			const char *bit =
			    bits[(seed = seed * 1664525u + 1013904223u) / 65536 % NELEM(bits)];

			memcpy(noise + len, bit, strlen(bit));
			len += strlen(bit);
		}
		copy = malloc(len);
		memcpy(copy, noise, len);
		n = timewords_find(copy, len, now, s, 4);
		for (size_t i = 0; i < n; i++) {
			bad += s[i].start < end || s[i].end <= s[i].start || s[i].end > len ||
			    (s[i].from_us != TIME_NONE && s[i].from_us >= s[i].to_us);
			end = s[i].end;
		}
		(void)timewords_ranges(copy, len, s, n, now, (struct time_range[4]){ { 0, 0 } });
		(void)timewords_asks_when(copy, len);
		(void)timewords_looks_back(copy, len);
		(void)timewords_asks_now(copy, len);
		(void)timewords_recalls(copy, len);
		free(copy);
	}
	is_int(bad, 0, "20,000 jumbled texts");
	return tap_done();
}
