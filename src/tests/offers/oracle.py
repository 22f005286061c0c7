"""Writes seeds/offers/cases.json: terms, and their prices by decimal arithmetic, minute by minute.

Shares no code and no method with the program: `python3 src/tests/offers/oracle.py`.
"""
import json, random
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal, ROUND_HALF_UP
from zoneinfo import ZoneInfo

ZONES = {"TX": "America/Chicago", "CA": "America/Los_Angeles", "NY": "America/New_York",
         "AZ": "America/Phoenix", "FL": "America/New_York", "CO": "America/Denver"}
CITIES = {"TX": ["Houston", "Dallas"], "CA": ["San Francisco", "Fresno"], "NY": ["Albany"],
          "AZ": ["Mesa"], "FL": ["Tampa"], "CO": ["Aspen"]}
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def up(value):
    # Half up also below zero: -0.5 is 0.
    value = Decimal(value)
    whole = value.to_integral_value(rounding="ROUND_FLOOR")
    return int(whole + 1 if value - whole >= Decimal("0.5") else whole)


def minutes(text):
    return int(text[:2]) * 60 + int(text[3:])


def holidays(card, year):
    found = set()
    for holiday in card["holidays"]:
        if holiday.get("day"):
            found.add(date(year, holiday["month"], holiday["day"]))
            continue
        days = [date(year, holiday["month"], 1) + timedelta(n) for n in range(31)]
        days = [day for day in days if day.month == holiday["month"]
                and WEEKDAYS[day.weekday()] == holiday["weekday"]]
        nth = holiday["nth"]
        found.add(days[nth if nth < 0 else nth - 1])
    return found


def rate_of(card, key, post):
    rate = card["classes"][key]["rate_cents"]
    for entry in card["overrides"]:
        if entry["class"] == key and entry["state"] == post["state"] and entry["city"] is None:
            rate = entry["rate_cents"]
    for entry in card["overrides"]:
        if entry["class"] == key and entry["state"] == post["state"] and entry["city"] == post["city"]:
            rate = entry["rate_cents"]
    return rate


class Pricing:
    def __init__(self, card, terms):
        self.card, self.terms = card, terms
        self.typical = terms["end"] is None
        start = date.fromisoformat(terms["start"])
        if self.typical:
            while start.weekday() != 6:
                start -= timedelta(1)
            self.dates = [start + timedelta(n) for n in range(7)]
        else:
            count = (date.fromisoformat(terms["end"]) - start).days + 1
            self.dates = [start + timedelta(n) for n in range(count)]
        self.early = 0
        hours = terms["notice_hours"]
        if hours is not None:
            for tier in card["short_notice"]["tiers"]:
                if hours < tier["under_hours"]:
                    self.early = tier["basis_points"]
                    break

    def early_on(self, day):
        soon = (day - self.dates[0]).days < self.card["short_notice"]["days"]
        return self.early if soon and not self.typical else 0

    def shifts(self, post):
        found = []
        plan = post["schedule"]
        for day in self.dates:
            name = WEEKDAYS[day.weekday()]
            if plan["kind"] == "always":
                begin, end = minutes(plan["from"]), minutes(plan["from"]) + 1440
                while begin < end:
                    stop = min(end, begin + self.card["relief_minutes"])
                    found.append((day, begin, stop, True))
                    begin = stop
            entries = plan.get("shifts", [])
            for entry in entries:
                fits = name in entry["days"] if plan["kind"] == "weekly" else entry["date"] == str(day)
                if fits:
                    begin, end = minutes(entry["from"]), minutes(entry["to"])
                    found.append((day, begin, end if end > begin else end + 1440, False))
        return sorted(found)

    def local_minutes(self, shift, zone):
        """The local time of each minute of a shift."""
        day, begin, end, _ = shift
        midnight = datetime(day.year, day.month, day.day)
        first, last = midnight + timedelta(minutes=begin), midnight + timedelta(minutes=end)
        if self.typical:
            return [first + timedelta(minutes=n) for n in range(end - begin)]
        at = first.replace(tzinfo=zone).astimezone(timezone.utc)
        until = last.replace(tzinfo=zone).astimezone(timezone.utc)
        found = []
        while at < until:
            found.append(at.astimezone(zone).replace(tzinfo=None))
            at += timedelta(minutes=1)
        return found

    def labor(self, key, officers, post, shifts):
        card = self.card
        zone = ZoneInfo(ZONES[post["state"]])
        rules = card["overtime"]["states"].get(post["state"], card["overtime"]["federal"])
        night = (minutes(card["night"]["from"]), minutes(card["night"]["to"]))
        counted = defaultdict(int)
        week, week_days, regular = None, set(), 0
        free = set().union(*(holidays(card, year) for year in range(2026, 2032)))
        for shift in shifts:
            day = shift[0]
            sunday = day - timedelta((day.weekday() + 1) % 7)
            if sunday != week:
                week, week_days, regular = sunday, set(), 0
            week_days.add(day)
            tiers = rules.get("daily", [])
            if post["same_officers"] and len(week_days) == 7 and rules.get("seventh_day"):
                tiers = rules["seventh_day"]
            early = self.early_on(day)
            local = self.local_minutes(shift, zone)
            for worked, at in enumerate(local):
                of_day = at.hour * 60 + at.minute
                dark = night[0] <= of_day < night[1] if night[0] <= night[1] else \
                    of_day >= night[0] or of_day < night[1]
                holiday = not self.typical and at.date() in free
                weekend = not holiday and at.weekday() >= 5
                extra = 0
                for tier in tiers:
                    if worked >= tier["over_minutes"]:
                        extra = tier["basis_points"]
                weekly = rules.get("weekly")
                if extra == 0 and post["same_officers"] and weekly:
                    if regular >= weekly["over_minutes"]:
                        extra = weekly["basis_points"]
                    else:
                        regular += 1
                counted[(False, weekend, holiday, dark, early, extra)] += 1
            missing = card["classes"][key]["minimum_minutes"] - len(local)
            if missing > 0 and not shift[3]:
                counted[(True, False, False, False, early, 0)] += missing
        base = rate_of(card, key, post)
        return [up(Decimal(count) * officers * self.rate(base, extras) / 60)
                for extras, count in sorted(counted.items())]

    def rate(self, base, extras):
        _, weekend, holiday, dark, early, extra = extras
        unit = self.card["round_to_cents"]
        added = lambda points: up(Decimal(base) * points / 10000 / unit) * unit
        rate = base + (self.card["night"]["cents"] if dark else 0) + added(early) + added(extra)
        if weekend:
            rate += added(self.card["weekend_basis_points"])
        if holiday:
            rate += added(self.card["holiday_basis_points"])
        return rate

    def post_lines(self, post):
        card, found = self.card, []
        unit = card["classes"][post["class"]]["unit"]
        officers = post["officers"]
        base = rate_of(card, post["class"], post)
        if unit == "hour":
            shifts = self.shifts(post)
            found += self.labor(post["class"], officers, post, shifts)
            lead = card["supervisor"]["from_officers"]
            if 0 < lead <= officers:
                found += self.labor(card["supervisor"]["class"], 1, post, shifts)
                officers += 1
            if card["travel_cents"] and shifts:
                found.append(len(shifts) * officers * card["travel_cents"])
        elif unit == "visit":
            plan, counts = post["schedule"], defaultdict(int)
            for day in self.dates:
                if WEEKDAYS[day.weekday()] in plan["days"]:
                    counts[self.early_on(day)] += plan["per_day"]
            for early, count in sorted(counts.items()):
                rate = self.rate(base, (False, False, False, False, early, 0))
                found.append(count * officers * rate)
        else:
            found.append(len(self.dates) * officers * base)
        for key in post["equipment"]:
            item = card["equipment"][key]
            found.append(item["cents"] * (len(self.dates) if item["per"] == "day" else 1))
        return found

    def is_valid(self):
        """Whether each post has hours or visits."""
        names = {WEEKDAYS[day.weekday()] for day in self.dates}
        visited = lambda post: names & set(post["schedule"].get("days", []))
        return all(self.shifts(post) or visited(post) for post in self.terms["posts"])

    def result(self):
        terms, lines, by_state = self.terms, [], defaultdict(int)
        for post in terms["posts"]:
            found = self.post_lines(post)
            lines += found
            by_state[post["state"]] += sum(found)
        for line in terms["manual"]:
            lines.append(line["cents"])
            if line["state"]:
                by_state[line["state"]] += line["cents"]
        subtotal, discount = sum(lines), 0
        if terms["discount"]:
            wanted = terms["discount"]
            discount = wanted.get("cents", 0) + up(Decimal(subtotal) * wanted.get("basis_points", 0) / 10000)
        taxes = []
        for state, amount in sorted(by_state.items()):
            tax = self.card["taxes"].get(state)
            if tax and not terms["tax_exemption"]:
                share = up(Decimal(discount) * amount / subtotal) if subtotal else 0
                taxes.append(up(Decimal(max(0, amount - share)) * tax["basis_points"] / 10000))
        total = subtotal - discount + sum(taxes)
        month = up(Decimal(total) * 52 / 12) if self.typical else None
        return {"lines": lines, "subtotal": subtotal, "discount": discount, "taxes": taxes,
                "total": total, "month": month}


def clock(pick):
    return f"{pick.randrange(24):02}:{pick.choice([0, 0, 0, 15, 30, 45]):02}"


def schedule(pick, unit, start, end):
    days = pick.sample(WEEKDAYS, pick.randint(1, 7))
    if unit == "visit":
        return {"kind": "visits", "days": days, "per_day": pick.randint(1, 6)}
    kind = pick.choice(["always", "weekly", "weekly", "single"] if end else ["always", "weekly"])
    if kind == "always":
        return {"kind": kind, "from": clock(pick)}
    if kind == "weekly":
        shifts = [{"days": days, "from": clock(pick), "to": clock(pick)}]
        if pick.random() < 0.3:
            shifts.append({"days": pick.sample(WEEKDAYS, 2), "from": clock(pick), "to": clock(pick)})
        return {"kind": kind, "shifts": shifts}
    count = (end - start).days + 1
    dates = [start + timedelta(pick.randrange(count)) for _ in range(pick.randint(1, 5))]
    return {"kind": kind, "shifts": [{"date": str(day), "from": clock(pick), "to": clock(pick)}
                                     for day in dates]}


def random_terms(pick, card):
    # Weeks with clock changes and holidays as often as others.
    start = pick.choice([date(2026, 12, 21), date(2027, 3, 12), date(2027, 11, 5), date(2027, 7, 1),
                         date(2027, 1, 15), date(2027, 11, 22), date(2028, 2, 25)]) + timedelta(pick.randrange(5))
    end = None if pick.random() < 0.25 else start + timedelta(pick.choice([0, 1, 2, 6, 6, 13, 29, 90]))
    posts = []
    for number in range(pick.choice([1, 1, 1, 2, 3])):
        state = pick.choice(list(ZONES))
        key = pick.choice(list(card["classes"]))
        unit = card["classes"][key]["unit"]
        plan = {"kind": "always", "from": "00:00"} if unit == "seat" else None
        posts.append({
            "title": f"Post {number + 1}", "city": pick.choice(CITIES[state]), "state": state, "class": key,
            "officers": pick.choice([1, 1, 2, 3, 4, 9]),
            "schedule": plan or schedule(pick, unit, start, end),
            "same_officers": pick.random() < 0.4,
            "equipment": pick.sample(list(card["equipment"]), pick.choice([0, 0, 1, 2])),
        })
    manual = [{"title": "Temporary fence", "cents": pick.randint(1, 999999), "state": pick.choice([None, "TX"])}]
    discount = pick.choice([None, None, {"basis_points": pick.randint(1, 2500), "reason": "Long term"},
                            {"cents": pick.randint(1, 50000), "reason": "Returning customer"}])
    return {"start": str(start), "end": end and str(end),
            "notice_hours": pick.choice([None, None, 3, 24, 47, 71, 72, 500]), "posts": posts,
            "manual": manual if pick.random() < 0.25 else [], "discount": discount,
            "tax_exemption": "TX-01-339" if pick.random() < 0.15 else None}


def one_post(start, end, key, state, plan, **more):
    post = {"title": "Main gate", "city": CITIES[state][0], "state": state, "class": key, "officers": 1,
            "schedule": plan, "same_officers": False, "equipment": []}
    post.update({name: more.pop(name) for name in list(more) if name in post})
    terms = {"start": start, "end": end, "notice_hours": None, "posts": [post], "manual": [],
             "discount": None, "tax_exemption": None}
    terms.update(more)
    return terms


def named():
    always = {"kind": "always", "from": "18:00"}
    every = {"kind": "weekly", "shifts": [{"days": WEEKDAYS, "from": "06:00", "to": "18:30"}]}
    night = {"kind": "weekly", "shifts": [{"days": WEEKDAYS, "from": "22:00", "to": "06:00"}]}
    short = {"kind": "single", "shifts": [{"date": "2027-07-03", "from": "23:00", "to": "01:00"}]}
    yield "fire watch around the clock for a week", one_post("2026-12-01", "2026-12-07", "fire-watch", "TX", always)
    yield "the night on which an hour is missing", one_post("2027-03-13", "2027-03-13", "unarmed", "TX", night)
    yield "the night on which an hour occurs twice", one_post("2027-11-06", "2027-11-06", "unarmed", "TX", night)
    yield "a state without daylight saving time", one_post("2027-03-13", "2027-03-13", "unarmed", "AZ", night)
    yield "a holiday that begins at midnight, below the minimum", one_post("2027-07-03", "2027-07-03", "armed", "NY", short)
    yield "California's long days", one_post("2027-01-10", "2027-01-16", "unarmed", "CA", every)
    yield "California's seventh day", one_post("2027-01-10", "2027-01-16", "unarmed", "CA", every, same_officers=True)
    yield "forty hours a week", one_post("2027-01-10", "2027-01-16", "unarmed", "FL", every, same_officers=True)
    yield "an exempt customer", one_post("2026-12-01", None, "unarmed", "TX", every, tax_exemption="TX-01-339")
    yield "four officers and their supervisor", one_post("2026-12-01", None, "armed", "TX", every, officers=4)
    yield "a discount of the whole price", one_post("2026-12-01", "2026-12-07", "fire-watch", "TX", always,
                                                    discount={"basis_points": 10000, "reason": "Goodwill"})
    yield "a line of the whole price", one_post("2026-12-01", "2026-12-07", "fire-watch", "TX", always,
                                                manual=[{"title": "Credit", "cents": -590560, "state": "TX"}])
    yield "a start tonight", one_post("2026-12-01", "2026-12-07", "fire-watch", "CA", always, notice_hours=4)


def refused():
    """Terms whose total would be below zero: the field that says so, and its message."""
    always = {"kind": "always", "from": "18:00"}
    line = lambda cents: {"title": "Credit", "cents": cents, "state": None}
    post = lambda **more: one_post("2026-12-01", "2026-12-07", "fire-watch", "TX", always, **more)
    off = lambda **more: {"reason": "Goodwill", **more}
    below = lambda cents, total: f"This line takes {cents} off, and the total would be {total}. " \
        "An offer cannot be below $0.00."
    over = lambda cents, price: f"The discount of {cents} is over the price of {price}. Enter a smaller one."
    yield "a line over the price", post(manual=[line(-5000000)]), "manual.0.cents", \
        below("$50,000.00", "−$44,094.40")
    yield "one cent too much", post(manual=[line(-590561)]), "manual.0.cents", below("$5,905.61", "−$0.01")
    yield "several lines, the largest named", post(manual=[line(1000), line(-700000), line(-200)]), \
        "manual.1.cents", below("$7,000.00", "−$1,086.40")
    yield "a discount over the price", post(discount=off(cents=590561)), "discount", \
        over("$5,905.61", "$5,905.60")
    yield "a discount over what a line has left", \
        post(manual=[line(-590000)], discount=off(cents=561)), "discount", over("$5.61", "$5.60")
    yield "a part and an amount over the price", post(discount=off(basis_points=10000, cents=1)), \
        "discount", over("$5,905.61", "$5,905.60")


def main():
    with open("seeds/offers/rate-card.json", encoding="utf-8") as file:
        sample = json.load(file)
    other = json.loads(json.dumps(sample))
    other["night"] = {"from": "18:00", "to": "06:00", "cents": 175}
    other.update(weekend_basis_points=1250, holiday_basis_points=10000, travel_cents=1750,
                 relief_minutes=720, round_to_cents=25)
    other["supervisor"]["from_officers"] = 2
    other["taxes"]["FL"] = {"title": "Florida sales tax", "basis_points": 650}
    cards = {"sample": sample, "other": other}
    pick = random.Random(35)
    all_terms = [(name, "sample", terms) for name, terms in named()]
    for number in range(300):
        card = pick.choice(list(cards))
        terms = random_terms(pick, cards[card])
        while not Pricing(cards[card], terms).is_valid():
            terms = random_terms(pick, cards[card])
        all_terms.append((f"random {number + 1}", card, terms))
    cases = [{"name": name, "card": card, "terms": terms, **Pricing(cards[card], terms).result()}
             for name, card, terms in all_terms]
    text = lambda value: json.dumps(value, ensure_ascii=False)
    with open("seeds/offers/cases.json", "w", encoding="utf-8") as file:
        file.write('{\n"cards": {\n')
        file.write(",\n".join(f"{text(name)}: {text(card)}" for name, card in cards.items()))
        file.write('\n},\n"cases": [\n')
        file.write(",\n".join(text(case) for case in cases) + '\n],\n"refused": [\n')
        bad = [{"name": name, "card": "sample", "terms": terms, "field": field, "message": message}
               for name, terms, field, message in refused()]
        file.write(",\n".join(text(case) for case in bad) + "\n]\n}\n")


main()
