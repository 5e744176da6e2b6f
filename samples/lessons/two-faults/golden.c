/*
 * What a parcel costs.
 *
 *     program WEIGHT EXPRESS INSURED [EXPECTED]
 *
 * Up to LIGHT grams a parcel costs 400 cents, else 650.  Express costs EXPRESS_FEE cents more,
 * insurance INSURANCE.  The program prints the price; EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define LIGHT 1000
#define EXPRESS_FEE 300
#define INSURANCE 150

struct parcel {
	int weight;
	int express, insured;
};

static int base_price(const struct parcel *parcel)
{
	int price = 400;

	if (parcel->weight > LIGHT)
		price = 650;
	return price;
}

static int extra_for_speed(const struct parcel *parcel)
{
	int extra = 0;

	if (parcel->express)
		extra = EXPRESS_FEE;
	return extra;
}

static int extra_for_safety(const struct parcel *parcel)
{
	int extra = 0;

	if (parcel->insured)
		extra = extra + INSURANCE;
	return extra;
}

static int price_of(const struct parcel *parcel)
{
	int price = base_price(parcel);
	int speed = extra_for_speed(parcel);
	int safety = extra_for_safety(parcel);

	return price + speed + safety;
}

int main(int argc, char **argv)
{
	struct parcel parcel;
	int price;

	if (argc < 4)
		return 2;
	parcel.weight = atoi(argv[1]);
	parcel.express = atoi(argv[2]);
	parcel.insured = atoi(argv[3]);
	price = price_of(&parcel);
	printf("%d\n", price);
	if (argc > 4)
		assert(price == atoi(argv[4]));
	return 0;
}
