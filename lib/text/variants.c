/*
 * variants.c: the table is one string. A term is searched in it with a blank on both sides; the
 * other terms between the same two bars are its variants.
 */
#include "text/variants.h"

#include "text/words.h"

/*
 * Stems, as the index has them. Left out are short forms that mean something else as often as not
 * (cat for category, dec, oct, sub, win; ate, whose stem is at), and words that stemming changes
 * into another: organize becomes organ and customize custom, and these are found beside organise
 * and customise all the same.
 */
static const char table[] = "|"
	/* short forms, then family, then British and American */
	" address addr | administr admin | advertis advert ad | aeroplan airplan | algorithm algo | aluminium aluminum | analys analyz |"
	" apart apt | apologis apolog | applic app | appoint appt | approxim approx | architectur arch | argument arg | arrai arr |"
	" asynchron async | attribut attr | authent auth | averag avg | behaviour behavior | bicycl bike | binari bin | birthdai bdai |"
	" boolean bool | buffer buf | button btn | calcul calc | catalogu catalog | categoris categor | centimetr centimet cm |"
	" centr center | certif cert | charact char | colour color | column col | command cmd | concaten concat |"
	" configur config cfg conf | congratul congrat | connect conn | context ctx | control ctrl | coordin coord | cosi cozi |"
	" counsellor counselor | count cnt | credenti cred | criticis critic | current curr cur | customis custom | databas db |"
	" declar decl | defenc defens | delet del | delimit delim | depart dept | depend dep | descript desc | destin dest dst |"
	" develop dev | devic dev | dialogu dialog | dictionari dict | differ diff | dimens dim | directori dir | distanc dist |"
	" divid div | doctor dr | document doc | doughnut donut | element elem | emphasis emphas | enumer enum | environ env |"
	" error err | evalu eval | event evt | examin exam | except exc | execut exec | express expr | extens ext | father dad daddi |"
	" favour favor | favourit favorit fave fav | fibr fiber | flavour flavor | format fmt | frequenc freq | function func fn |"
	" gener gen | generalis gener | govern govt | grandfath grandpa | grandmoth grandma granni | grei grai | gymnasium gym |"
	" harbour harbor | hexadecim hex | honour honor | horsepow hp | hour hr | humour humor | husband hubbi | identifi id | imag img |"
	" implement impl | increment incr | index idx | influenza flu | inform info | infrastructur infra | initialis initi init |"
	" instanc inst | instruct instr | integ int | interfac ifac | javascript js | jewelleri jewelri | kilobyt kb | kilogram kilo kg |"
	" kilometr kilomet km | kubernet k8s | label lbl | laboratori lab | labour labor | languag lang | length len | librari lib |"
	" licenc licens | limousin limo | linearis linear | litr liter | locat loc | manag mgr | mathemat math | maximis maxim |"
	" maximum max | megabyt mb | memorandum memo | memori mem | messag msg | metadata meta | metr meter | microphon mic |"
	" millilitr millilit ml | millimetr millimet mm | minimis minim | minimum min | minut min | modul mod |"
	" mother mom mum mommi mama | moustach mustach | multipli mul | namespac ns | neighbour neighbor | normalis normal | number num |"
	" object obj | optimis optim | option opt | organis organ | organis organ org | origin orig | ounc oz | packag pkg |"
	" pajama pyjama | paramet param | password passwd pwd | percent pct | permiss perm | photograph photo pic | pictur pic |"
	" pointer ptr | polymeris polymer | posit po | postgresql postgr pg | pound lb | power pow | practis practic | previou prev |"
	" prioriti prio | prioritis priorit | probabl prob | procedur proc | process proc | product prod | professor prof |"
	" programm program | properti prop | protocol proto | puppi pup | python py | quantiti qty | random rand | realis realiz |"
	" recognis recogn | refer ref | refriger fridg | remov rm | repositori repo | request req | requir req | respons resp |"
	" revis rev | rhinocero rhino | rumour rumor | sceptic skeptic | schedul sched | second sec | separ sep | sequenc seq |"
	" server srv | servic svc | session sess | signatur sig | sourc src | specialis special | specif spec | squar sq sqr |"
	" stabilis stabil | standardis standard | statement stmt | statist stat | string str | structur struct | sulphur sulfur |"
	" summaris summar | synchronis synchron sync | tablespoon tbsp | target tgt | teaspoon tsp | telephon phone | televis tv |"
	" temperatur temp | templat tmpl | temporari temp tmp | text txt | theatr theater | threshold thresh | timestamp ts | token tok |"
	" total tot | transact tx txn | tumour tumor | typograph typo | updat upd | utilis util | valu val | vaporis vapor |"
	" vapour vapor | variabl var | vector vec | veget veggi veg | version ver | veterinarian vet | vigour vigor | visualis visual |"
	" volum vol | week wk | year yr |"
	/* irregular forms */
	" analysi analys | becom becam | begin began begun | bend bent | bite bit bitten | bleed bled | blow blew blown |"
	" break broke broken | breed bred | bring brought | bui bought | build built | burn burnt | calf calv | catch caught |"
	" child children | choos chose chosen | come came | creep crept | criterion criteria | deal dealt | dig dug | draw drew drawn |"
	" dream dreamt | drink drank drunk | drive drove driven | eat eaten | fall fell fallen | feed fed | feel felt | fight fought |"
	" find found | flee fled | fly flew flown | foot feet | forbid forbad forbidden | forget forgot forgotten |"
	" forgiv forgav forgiven | freez froze frozen | get got gotten | give gave given | go went gone | goos gees | grow grew grown |"
	" half halv | hang hung | hear heard | hide hid hidden | hold held | keep kept | kneel knelt | knife knive | know knew known |"
	" lai laid | lead led | leaf leav | learn learnt | leav left | lend lent | life live | loaf loav | lose lost | make made |"
	" man men | mean meant | meet met | mous mice | overcom overcam | pai paid | person peopl | phenomenon phenomena | prove proven |"
	" ride rode ridden | ring rang rung | rise rose risen | run ran | sai said | see saw seen | seek sought | sell sold | send sent |"
	" sew sewn | shake shook shaken | shelf shelv | shine shone | shoot shot | show shown | shrink shrank shrunk | sing sang sung |"
	" sink sank sunk | sit sat | sleep slept | slide slid | smell smelt | speak spoke spoken | spell spelt | spend spent |"
	" spin spun | stand stood | steal stole stolen | stick stuck | strike struck | swear swore sworn | sweep swept | swim swam swum |"
	" swing swung | take took taken | teach taught | tear tore torn | tell told | thief thiev | think thought | throw threw thrown |"
	" tooth teeth | undergo underw undergon | understand understood | wake woke woken | wear wore worn | weep wept | wife wive |"
	" win won | withdraw withdrew withdrawn | wolf wolv | woman women | write wrote written |";

static bool
is_there(const struct variant *out, size_t n, const char *term, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (out[i].len == len && memcmp(out[i].term, term, len) == 0)
			return true;
	return false;
}

size_t
variants_of(const char *term, size_t len, struct variant out[VARIANTS_MOST])
{
	char key[WORDS_TERM_BYTES + 3];
	size_t n = 0;

	if (len > WORDS_TERM_BYTES || memchr(term, '|', len) != NULL || memchr(term, ' ', len) != NULL)
		return 0;
	key[0] = key[len + 1] = ' ';
	memcpy(key + 1, term, len);
	key[len + 2] = '\0';
	for (const char *at = strstr(table, key); at != NULL; at = strstr(at + 1, key)) {
		const char *p = at;
		while (*p != '|')
			p--;
		for (p += 2; *p != '|'; ) {
			size_t k = strcspn(p, " ");
			if ((k != len || memcmp(p, term, len) != 0) && n < VARIANTS_MOST && !is_there(out, n, p, k))
				out[n++] = (struct variant){ p, (uint8_t)k };
			p += k + 1;
		}
	}
	return n;
}
