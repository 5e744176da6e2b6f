/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Caesar's cipher, there and back.
 *
 * test: 5 Wizard-Zoo
 * faulty: 48
 * fixed: 	encrypt(text, LETTERS - key, out);
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 26

static char shift_letter(char c, int by, char first)
{
	int place = c - first + by;

	if (place >= LETTERS)
		place -= LETTERS;
	if (place < 0)
		place += LETTERS;
	return (char)(first + place);
}

static char shift(char c, int by)
{
	if (isupper((unsigned char)c))
		return shift_letter(c, by, 'A');
	if (islower((unsigned char)c))
		return shift_letter(c, by, 'a');
	return c;
}

static void encrypt(const char *text, int key, char *out)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		out[i] = shift(text[i], key);
	out[n] = '\0';
}

static void decrypt(const char *text, int key, char *out)
{
	encrypt(text, LETTERS + key, out);
}

static int vowels(const char *text)
{
	int count = 0;

	for (; *text; text++)
		if (strchr("aeiouAEIOU", *text))
			count++;
	return count;
}

int main(int argc, char **argv)
{
	char secret[64], plain[64];
	int key;

	if (argc < 3 || strlen(argv[2]) >= sizeof secret)
		return 2;
	key = atoi(argv[1]) % LETTERS;
	encrypt(argv[2], key, secret);
	printf("secret %s, vowels %d\n", secret, vowels(secret));
	decrypt(secret, key, plain);
	printf("plain %s\n", plain);
	assert(strcmp(plain, argv[2]) == 0);
	return 0;
}
